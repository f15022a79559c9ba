#!/usr/bin/env node
// For the health check of a container: asks the bot beside it whether it is ready.
const { HEALTH_PORT, PORT } = process.env;
const address = `http://127.0.0.1:${HEALTH_PORT || PORT || 8080}/readyz`;
try {
  const answer = await fetch(address, { signal: AbortSignal.timeout(4_000) });
  console.log(await answer.text());
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.error(`${address} gives no answer: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
