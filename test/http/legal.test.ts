import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { legalPage, legalRoutes } from '../../src/http/legal.ts';

const OPERATOR = { name: 'Ada <Lovelace>', contact: 'ada@example.org' };

describe('the pages /privacy and /terms', () => {
  it.each(['privacy', 'terms'])('/%s shows the whole text of docs', async (name) => {
    const answer = await legalRoutes(OPERATOR).request(`/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await answer.text();
    const shown = html
      .slice(html.indexOf('</h1>'))
      .replace(/<[^>]*>/g, ' ')
      .replaceAll('&quot;', '"');
    const words = (text: string) => text.match(/[\w'/-]+/g)!.filter((word) => word !== '-');
    const written = words(readFileSync(`docs/${name}.md`, 'utf8').replace(/^# .*\n/, ''));
    expect(words(shown).slice(0, written.length)).toEqual(written);
    // Nothing of Markdown is left, so it has no form that the page does not know.
    expect(shown).not.toMatch(/[#*`]|\]\(/);
  });

  it('name the operator of the settings, as text', async () => {
    const html = legalPage('# Privacy\n\nText.', OPERATOR);
    expect(html).toContain('This installation is run by Ada &lt;Lovelace&gt;.');
    expect(html).toContain('<a href="mailto:ada@example.org">ada@example.org</a>');
    expect(legalPage('# Privacy', { contact: 'https://example.org/?a="b"' })).toContain(
      'href="https://example.org/?a=&quot;b&quot;"',
    );
  });

  it('say whom to ask where no operator is set', () => {
    expect(legalPage('# Terms', readConfig({}).operator)).toContain('Ask the person who added the bot');
  });

  it('refuse a contact that is no address, such as a script', () => {
    expect(() => readConfig({ OPERATOR_CONTACT: 'javascript:alert(1)' })).toThrow(/OPERATOR_CONTACT/);
    const { operator } = readConfig({ OPERATOR: 'Ada', OPERATOR_CONTACT: 'ada@example.org' });
    expect(operator).toEqual({ name: 'Ada', contact: 'ada@example.org' });
  });
});
