/** `npm run bench` runs every measurement, `npm run bench -- solver doors` only those. Run it on an idle machine. */
const BENCHES: Readonly<Record<string, () => Promise<{ run(): void | Promise<void> }>>> = {
  solver: () => import('./solver.ts'),
  boards: () => import('./boards.ts'),
  commands: () => import('./commands.ts'),
  doors: () => import('./doors.ts'),
  daily: () => import('./daily.ts'),
  site: () => import('./site.ts'),
};

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
  const bench = BENCHES[name];
  if (bench === undefined) {
    console.error(`There is no bench "${name}"; there is: ${Object.keys(BENCHES).join(', ')}.`);
    process.exit(2);
  }
  console.log(`\n## ${name}\n`);
  await (await bench()).run();
}
