import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

let compiled: Promise<WebAssembly.Module> | undefined;
let loaded: Promise<typeof import('@resvg/resvg-wasm')> | undefined;

/** The library that draws and decodes pictures, for `loadResvg` of another thread, which need not read and compile it again. */
export function compileResvg(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(
    readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
  );
  return compiled;
}

/** The library, with one memory for each thread, which never shrinks: what it has made has to be freed. */
export function loadResvg(module?: WebAssembly.Module): Promise<typeof import('@resvg/resvg-wasm')> {
  loaded ??= load(module);
  return loaded;
}

async function load(module?: WebAssembly.Module) {
  const library = await import('@resvg/resvg-wasm');
  await library.initWasm(module ?? compileResvg());
  return library;
}
