import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly if?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const files = readdirSync(FOLDER);
const { scripts, version }: { scripts: Record<string, string>; version: string } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

describe.each(files)('the workflow %s', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const workflow: Workflow = parse(text);
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  it('pins each action to a commit and names its version', () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map((match) => match[1]!);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((one) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(one))).toEqual([]);
  });

  it('pins each container by its digest', () => {
    const images = [...text.matchAll(/(?:image|container): (.+)$/gm)].map((match) => match[1]!);
    expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
  });

  it('may write nothing by default, and leaves no credentials for later steps', () => {
    expect(Object.values(workflow.permissions ?? { missing: 'write' })).not.toContain('write');
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
      expect(step.with?.['persist-credentials']).toBe(false);
  });

  it('ends by itself, and puts nothing that others typed into a command', () => {
    expect(jobs.filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
    // Values are passed by environment variables, which the shell does not read as code.
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });

  it('runs what is there', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    const named = commands.flatMap((run) => [...run.matchAll(/(?:node (scripts\/\S+)|(\.ci\/run))/g)]);
    expect(named.map((match) => match[1] ?? match[2]!).filter((path) => !existsSync(path))).toEqual([]);
    for (const [, script] of commands.join('\n').matchAll(/npm run ([\w:-]+)/g))
      expect(scripts[script!]).toBeDefined();
  });
});

/** What each job may write. */
function writesOf(jobs: Workflow['jobs']): Record<string, string[]> {
  const writes = Object.entries(jobs).map(([name, { permissions = {} }]) => [
    name,
    Object.keys(permissions).filter((one) => permissions[one] === 'write'),
  ]);
  return Object.fromEntries(writes);
}

describe('the site on GitHub Pages', () => {
  const { jobs }: Workflow = parse(readFileSync(join(FOLDER, 'pages.yml'), 'utf8'));

  it('is published only where Pages is switched on, by a job that runs nothing else', () => {
    expect(jobs.build?.if).toBe('github.event.repository.has_pages');
    expect(writesOf(jobs)).toEqual({ build: [], deploy: ['pages', 'id-token'] });
    expect(jobs.deploy?.steps.map(({ uses }) => uses?.split('@')[0])).toEqual(['actions/deploy-pages']);
  });
});

describe('the forms of issues', () => {
  const folder = '.github/ISSUE_TEMPLATE';
  const { homepage }: { homepage?: string } = JSON.parse(readFileSync('package.json', 'utf8'));

  it.each(['bug', 'idea'])('%s links the guides and the private report of a vulnerability', (name) => {
    const { body }: { body: { type: string; attributes: { value?: string } }[] } = parse(
      readFileSync(join(folder, `${name}.yml`), 'utf8'),
    );
    const links = [...body[0]!.attributes.value!.matchAll(/\]\(([^)]+)\)/g)].map(
      ([, link]) => new URL(link!, 'https://host.test/owner/name/issues/new').pathname,
    );
    expect(links).toEqual(['/owner/name/tree/HEAD/docs', '/owner/name/security/advisories/new']);
  });

  it('lead there from the chooser, too, once the repository has an address', () => {
    const { contact_links: links = [] }: { contact_links?: { url: string }[] } = parse(
      readFileSync(join(folder, 'config.yml'), 'utf8'),
    );
    const wanted = ['security/advisories/new', 'tree/HEAD/docs'].map((path) => `${homepage}/${path}`);
    expect(links.map(({ url }) => url)).toEqual(homepage === undefined ? [] : wanted);
  });
});

describe('the release', () => {
  const { jobs }: Workflow = parse(readFileSync(join(FOLDER, 'release.yml'), 'utf8'));

  it('gives each job only the permission it needs', () => {
    expect(writesOf(jobs)).toEqual({
      tests: [],
      build: [],
      package: ['id-token'],
      image: ['packages'],
      executable: [],
      notes: ['contents'],
    });
  });

  it('installs and builds nothing where it may publish a package', () => {
    const commands = jobs.package!.steps.flatMap(({ run }) => run ?? []);
    const publish = (name: string) =>
      expect.stringMatching(`^npm publish ${name}-\\*\\.tgz --ignore-scripts `);
    expect(commands).toEqual(['letterboxed-bot', 'letterboxed-solver'].map(publish));
  });
});

describe('CHANGELOG.md', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const headings = [...changelog.matchAll(/^## (.*)$/gm)].map((match) => match[1]!);

  it('keeps the form of Keep a Changelog, newest first', () => {
    expect(headings[0]).toBe('[Unreleased]');
    const released = headings.slice(1);
    for (const heading of released) expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/);
    const dates = released.map((heading) => heading.slice(-10));
    expect(dates).toEqual(dates.toSorted().toReversed());
    const kinds = [...changelog.matchAll(/^### (.*)$/gm)].map((match) => match[1]!);
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    expect(kinds.filter((kind) => !known.includes(kind))).toEqual([]);
  });

  it('has the notes of the version in package.json, and of no version that is not there', () => {
    const notes = (tag: string) =>
      spawnSync(process.execPath, ['scripts/release-notes.ts', tag], { encoding: 'utf8' });
    const found = notes(`v${version}`);
    expect(found.stderr).toBe('');
    expect(found.stdout).toMatch(/^### \w+\n\n\S/);
    expect(found.stdout).not.toMatch(/^## /m);
    expect(notes('v999.0.0')).toMatchObject({ status: 1, stdout: '' });
  });
});
