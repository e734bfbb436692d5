import { serveChanged } from '../e2e/changed-demo.ts';
import { newAddress } from '../e2e/visitor.ts';
import { DEMO, expect, test } from './fixtures.ts';
import { askForCode, seeSignedIn } from './visitor.ts';

const VIOLATIONS = 'return JSON.parse(sessionStorage.violations ?? "[]")';
/** Each page of the tab adds what it did against its policy. */
const WATCH = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
    sessionStorage.violations = JSON.stringify([...JSON.parse(sessionStorage.violations ?? '[]'), violatedDirective]);
  });`;
/** Text in a script and in HTML, which only Trusted Types refuse. */
const BREAK = `
  const refused = [() => { document.createElement('script').textContent = '1'; }, () => { document.createElement('div').innerHTML = '<b>'; }]
    .filter((attempt) => { try { attempt(); return false; } catch { return true; } });
  return refused.length;`;

test(
  'no widget breaks the policy of its page, which the browser enforces',
  { tag: '@soak' },
  async ({ webkit, inbox }) => {
    const demo = await serveChanged(DEMO, { script: WATCH });
    const address = newAddress();
    await webkit.goto(`${demo.url}/standalone`);
    await askForCode(webkit, address);
    await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
    await seeSignedIn(webkit, address);
    await webkit.goto(`${demo.url}/account?build=standalone`);
    await webkit.see('#widget :is(h1, h2)', 'Your account');
    await webkit.goto(`${demo.url}/reset`);
    await webkit.see('h1', 'Nothing to do here');
    expect(await webkit.run(VIOLATIONS)).toEqual([]);
    expect(await webkit.run(BREAK)).toBe(2);
    expect(await webkit.run(VIOLATIONS)).toEqual(['require-trusted-types-for', 'require-trusted-types-for']);
    await demo.close();
  },
);
