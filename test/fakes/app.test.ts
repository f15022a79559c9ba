import { expect, test } from 'vitest';
import { makeTestApp } from './app.ts';

test('a test app that logged an unexpected error fails its test as it closes', async () => {
  const { app, close } = await makeTestApp();
  app.log.error({ err: new Error('full') }, 'it broke');
  await expect(close()).rejects.toThrow('the app logged an unexpected error: it broke');
});

test('a test app takes errors that its test expects or allows', async () => {
  const { app, expectErrors, allowErrors, close } = await makeTestApp();
  expectErrors('it broke');
  allowErrors('it may break', 'it may break, too');
  app.log.error({}, 'it broke');
  app.log.error({}, 'it may break');
  await close();
});

test('a test app that never logged an expected error fails its test, too', async () => {
  const { expectErrors, close } = await makeTestApp();
  expectErrors('it broke');
  await expect(close()).rejects.toThrow('the app never logged the expected error: it broke');
});
