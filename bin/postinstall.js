// Builds the word list after `npm ci`. It never fails an install: the program itself says what to run.
if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import('../scripts/build-lexicon.ts');
} else {
  console.error(
    'letterboxed-bot: Node 24 is needed to build the word list; run "npm run build:lexicon" with it.',
  );
}
