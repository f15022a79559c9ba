import type { Page } from 'playwright-core';

/**
 * What browsers ask of a site before they install it as an app, as far as this page's lacks it. Browsers answer this
 * themselves, by `Page.getInstallabilityErrors`, but not without a window, nor in a context of a test.
 *
 * @param page that has a service worker, if its site has one. Afterwards it is offline.
 */
export async function installFindings(page: Page): Promise<string[]> {
  const findings = await page.evaluate<string[]>(`(${findInManifest})()`);
  const { url, hasWorker } = await page.evaluate<{ url: string; hasWorker: boolean }>(`(${findStart})()`);
  if (!hasWorker) return [...findings, 'no service worker'];
  await page.context().setOffline(true);
  const answer = await page.goto(url).catch(() => null);
  return answer?.ok() ? findings : [...findings, 'the service worker does not answer'];
}

const findInManifest = `async () => {
  const { href } = document.querySelector('link[rel=manifest]');
  const manifest = await (await fetch(href)).json();
  const findings = ['name', 'start_url'].filter((field) => !manifest[field]).map((field) => 'no ' + field);
  if (!['standalone', 'fullscreen', 'minimal-ui'].includes(manifest.display)) findings.push('no display');
  const scope = new URL(manifest.scope ?? '.', href).href;
  if (!new URL(manifest.start_url ?? '', href).href.startsWith(scope)) findings.push('starts outside its scope');
  const id = new URL(manifest.id ?? new URL(manifest.start_url ?? '', href).href, new URL(href).origin).href;
  if (!id.startsWith(scope)) findings.push('is the same app as one outside its scope');
  const loads = async ({ src, sizes }) => {
    const image = new Image();
    image.src = new URL(src, href).href;
    await image.decode().catch(() => undefined);
    return image.naturalWidth + 'x' + image.naturalHeight === sizes;
  };
  const wanted = [[192, 'any'], [512, 'any'], [512, 'maskable']];
  for (const [size, purpose] of wanted) {
    const icon = (manifest.icons ?? []).find(
      (one) => one.sizes === size + 'x' + size && (one.purpose ?? 'any').split(' ').includes(purpose),
    );
    if (icon === undefined || !(await loads(icon))) findings.push('no icon ' + size + ' ' + purpose);
  }
  return findings;
}`;

const findStart = `async () => {
  const manifest = document.querySelector('link[rel=manifest]').href;
  const { start_url } = await (await fetch(manifest)).json();
  // One that is still being fetched is none yet.
  const registration = await navigator.serviceWorker.getRegistration();
  return { url: new URL(start_url ?? '', manifest).href, hasWorker: registration?.active != null };
}`;
