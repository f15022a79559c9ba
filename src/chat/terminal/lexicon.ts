import { TIERS } from '../../solver/types.ts';
import { EXIT, type Subcommand } from './subcommand.ts';

export const lexicon: Subcommand = {
  usage: 'lexicon [--dump]',
  about: 'What the word list holds',
  options: ['dump'],
  run(typed, world) {
    const list = world.lexicon(typed.text('words'));
    const tiers = Object.fromEntries(TIERS.map((tier) => [tier, 0])) as Record<
      (typeof TIERS)[number],
      number
    >;
    let likely = 0;
    for (const entry of list.entries()) {
      tiers[entry.tier]++;
      likely += entry.likelihood;
    }
    const statistics = {
      words: list.size,
      ...tiers,
      expectedAccepted: Math.round(likely),
      bytes: list.graph.byteLength + list.likelihoods.byteLength + list.tiers.byteLength,
    };
    const dump = typed.flag('dump');
    return {
      exit: EXIT.answered,
      json: () => (dump ? [...list.entries()] : statistics),
      *lines() {
        if (dump)
          for (const { word, tier, likelihood } of list.entries())
            yield `${word}\t${tier}\t${likelihood.toFixed(4)}`;
        else for (const [name, value] of Object.entries(statistics)) yield `${name.padEnd(18)} ${value}`;
      },
    };
  },
};
