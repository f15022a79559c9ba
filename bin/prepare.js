// Builds the word list after `npm ci`. It never fails an install: the program itself says what to run.
// As npm's script "prepare" it runs in a clone only: the published package has the word list in it.
if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import('../scripts/build-lexicon.ts');
} else {
  console.error(
    'letterboxed-bot: Node 24 is needed to build the word list; run "npm run build:lexicon" with it.',
  );
}
