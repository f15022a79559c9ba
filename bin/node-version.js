// Plain JavaScript, because it has to run on versions of Node that are too old for the rest.

/** Says in one line what is needed and ends the process, unless this Node can run TypeScript directly. */
export function requireNode24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return;
  console.error(
    `letterboxed-bot needs Node 24 or newer; this is ${process.versions.node}. ` +
      'Run "npm ci" here, without --omit=dev: it brings a Node 24 for npm scripts and npx. Or install it from nodejs.org.',
  );
  process.exit(2);
}
