// Loaded before a program with --import: prints the modules that it has loaded, one a line, on standard error.
import { registerHooks } from 'node:module';

const loaded = new Set();
registerHooks({
  load(url, context, next) {
    loaded.add(url);
    return next(url, context);
  },
});
process.on('exit', () => console.error([...loaded].join('\n')));
