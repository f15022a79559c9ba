// Never called: `vitest related` follows these imports, so a change of what a browser loads runs the tests with a browser.
void [
  () => import('../../../src/web/chat/chat.js'),
  () => import('../../../src/web/pages/activity.js'),
  () => import('../../../src/web/pages/play.js'),
  () => import('../../../src/web/site/archive-page.ts'),
  () => import('../../../src/web/site/board-page.ts'),
  () => import('../../../src/web/site/form-page.ts'),
  () => import('../../../src/web/site/plain-page.ts'),
  () => import('../../../src/web/site/sw.js'),
];
