/** What a person does in a game. A letter that is typed may mean several spots; a tap means one. */
export type Move =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'spot'; readonly spot: number }
  | { readonly kind: (typeof PLAIN_MOVES)[number] };

/**
 * `back` takes the last letter away, or opens the word before again. `clear` takes the current word away,
 * `restart` everything.
 */
export const PLAIN_MOVES = ['back', 'enter', 'clear', 'restart'] as const;

/** More than anybody makes between two answers. */
export const MOST_MOVES = 200;

const SIGNS = { back: '<', enter: '.', clear: '-', restart: '0' } as const;
const KINDS = new Map(PLAIN_MOVES.map((kind) => [SIGNS[kind] as string, kind]));
const FIRST_SPOT = 'A'.charCodeAt(0);

/**
 * Moves as compact text: small letters are typed, capitals are spots (`A` is spot 0).
 *
 * @example formatMoves([{ kind: 'letter', letter: 'f' }, { kind: 'spot', spot: 0 }, { kind: 'enter' }]) // 'fA.'
 */
export function formatMoves(moves: readonly Move[]): string {
  return moves
    .map((move) => {
      if (move.kind === 'letter') return move.letter;
      return move.kind === 'spot' ? String.fromCharCode(FIRST_SPOT + move.spot) : SIGNS[move.kind];
    })
    .join('');
}

/** Reads what `formatMoves` wrote; undefined for any other text, and for too many moves. */
export function parseMoves(text: string): Move[] | undefined {
  if (text.length > MOST_MOVES) return undefined;
  const moves: Move[] = [];
  for (const character of text) {
    const kind = KINDS.get(character);
    if (kind !== undefined) moves.push({ kind });
    else if (/^[a-z]$/.test(character)) moves.push({ kind: 'letter', letter: character });
    else if (/^[A-Z]$/.test(character))
      moves.push({ kind: 'spot', spot: character.charCodeAt(0) - FIRST_SPOT });
    else return undefined;
  }
  return moves;
}
