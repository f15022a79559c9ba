// Loaded before a program with --import: prints the modules that it has loaded and the flags of V8 that it has set, one a line,
// on standard error.
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';

const loaded = new Set();
registerHooks({
  load(url, context, next) {
    loaded.add(url);
    return next(url, context);
  },
});
/** @type {string[]} */
const flags = [];
const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flag) => {
  flags.push(flag);
  setFlagsFromString(flag);
};
syncBuiltinESMExports();
process.on('exit', () => console.error([...loaded, ...flags].join('\n')));
