import { cleanup, fireEvent, screen as page } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultLists, type Consent } from '#domain/consent/consent.ts';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { toAuthError } from '#domain/thrown.ts';
import { apiError } from '../../gallery/fixture.ts';
import { showState } from './show.tsx';

afterEach(cleanup);

type ConsentRequired = Extract<Consent, { readonly status: 'consentRequired' }>;

const asking = (change: Partial<ConsentRequired> = {}): ConsentRequired => ({
  status: 'consentRequired',
  clientName: 'Planner',
  logoUrl: null,
  account: 'ada@example.com',
  host: 'planner.example',
  onDevice: false,
  isVerified: null,
  accountUrl: null,
  standardOnly: true,
  lists: defaultLists([
    { scope: 'openid', description: '' },
    { scope: 'read:documents', description: 'Read your documents' },
  ]),
  ungrantable: [],
  canAllow: true,
  isLasting: false,
  ...change,
});

const bootstrap = { ...DEFAULT_BOOTSTRAP, projectName: 'Acme' };
const show = (consent: Consent) => showState({ screen: { name: 'IDPConsent' }, consent, bootstrap });
const press = (name: string): void => void fireEvent.click(page.getByRole('button', { name }));

describe('the consent page', () => {
  it('shows who asks: by signing in where all is standard, else for access', () => {
    show(asking());
    expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Sign in to Planner with Acme');
    cleanup();
    show(asking({ standardOnly: false }));
    expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Planner wants to access your Acme account');
    cleanup();
    show(asking({ clientName: null }));
    expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Sign in to The App with Acme');
  });

  it('says beside the name where the answer goes, and whose account it is about', () => {
    const { container } = show(asking());
    const title = page.getByRole('heading', { level: 1 });
    expect(title.nextElementSibling?.textContent).toBe('You will go on to planner.example.');
    const account = container.querySelector('[data-part="account"]');
    expect(account?.textContent).toBe('Signed in as ada@example.comUse another account');
    expect(account?.querySelector('bdi')?.textContent).toBe('ada@example.com');
    cleanup();
    show(asking({ host: null, onDevice: true }));
    expect(document.querySelector('h1 + p')?.textContent).toBe('You will go on to an app on this device.');
    cleanup();
    show(asking({ account: null, host: null }));
    expect([page.queryByText(/Signed in as/u), page.queryByText(/You will go on/u)]).toEqual([null, null]);
    expect(page.getByRole('button', { name: 'Use another account' })).toBeTruthy();
  });

  it('lets another account be used, once, and takes no answer while it signs out', () => {
    const { model } = show(asking());
    press('Use another account');
    press('Use another account');
    press('Allow');
    press('Deny');
    expect(model.intents).toEqual([{ type: 'consent/switched' }]);
    expect(page.getByRole('button', { name: 'Use another account' }).getAttribute('aria-busy')).toBe('true');
  });

  it('lists the requested permissions, with details that expand', () => {
    const { container } = show(asking());
    expect(page.getByRole('heading', { level: 2 }).textContent).toBe('Planner is requesting to:');
    expect([...container.querySelectorAll('[data-part="entries"] > li')].map(({ textContent }) => textContent)).toEqual(
      [
        'Confirm who you areAn identifier that stays the same whenever you sign in',
        'Read your documentsNot graded: read it with care',
      ],
    );
    expect(container.querySelectorAll('[data-part="entries"] details')).toHaveLength(1);
  });

  it('shows how far a permission goes: full access first, framed and with its details open', () => {
    const lists = defaultLists([
      { scope: 'profile', description: '' },
      { scope: 'write:plans', description: 'Change your plans', access: 'change' },
      { scope: 'full_access', description: '' },
    ]);
    const { container } = show(asking({ lists }));
    const items = [...container.querySelectorAll<HTMLElement>('[data-part="entries"] > li')];
    expect(items.map(({ dataset }) => dataset['access'])).toEqual(['full', 'view', 'change']);
    expect(items.map((item) => item.querySelector('[data-part="access"]')?.textContent)).toEqual([
      'Full control of your account',
      undefined,
      'Can make changes',
    ]);
    expect(items.map((item) => item.querySelector('details')?.open)).toEqual([true, false, undefined]);
  });

  it('says where an app comes from that no operator registered, and whether it is new', () => {
    const verdict = () => document.querySelector<HTMLElement>('[data-part="verdict"]');
    show(asking({ isVerified: false, agent: { host: 'helper.example', isNew: true } }));
    expect(verdict()?.textContent).toBe(
      'Not registered by Acme. The app is described at helper.example: allow it only if you trust that site. Nobody has given it access here before.',
    );
    expect([...(verdict()?.querySelectorAll('bdi') ?? [])].map(({ textContent }) => textContent)).toContain(
      'helper.example',
    );
    cleanup();
    // Also where the answer goes to this device, and nobody could vouch for anything.
    show(asking({ isVerified: null, onDevice: true, agent: { host: null, isNew: false } }));
    expect(verdict()?.textContent).toBe(
      'Not registered by Acme. The app registered itself, and nobody has checked who made it.',
    );
    expect(verdict()?.dataset['state']).toBe('open');
  });

  it('says for which APIs the access is', () => {
    show(asking({ resources: ['Files', 'mail.example'] }));
    expect(document.querySelector('[data-part=resources]')?.textContent).toMatch(/is for Files and mail\.example\.$/u);
    cleanup();
    show(asking());
    expect(page.queryByText(/The access is for/u)).toBeNull();
  });

  it('names the person who vouches for the app, and shows nothing without one', () => {
    const verdict = () => document.querySelector('[data-part="verdict"]')?.textContent ?? null;
    show(asking({ isVerified: true }));
    expect(verdict()).toBe('Verified by Acme');
    cleanup();
    show(asking({ isVerified: false }));
    expect(verdict()).toBe('Not verified by Acme. Allow it only if you trust it.');
    cleanup();
    show(asking());
    expect(verdict()).toBeNull();
  });

  it('shows where the access can be taken back, with a link where the host has that page', () => {
    const words = 'You can remove this access at any time in your Acme account, under Connected apps.';
    const line = () => document.querySelector('[data-part="take-back"]')?.textContent ?? null;
    show(asking());
    expect([line(), page.queryByRole('link')]).toEqual([words, null]);
    cleanup();
    show(asking({ accountUrl: '/account' }));
    expect(line()).toBe(words);
    expect(page.getByRole<HTMLAnchorElement>('link')).toMatchObject({ target: '_blank', rel: 'noopener noreferrer' });
    expect(page.getByRole('link').getAttribute('href')).toBe('/account');
    cleanup();
    show(asking({ canAllow: false, lists: [] }));
    expect(line()).toBeNull();
  });

  it('says how long the access lasts, unless the app asks for one that outlives the session', () => {
    const line = () => document.querySelector('[data-part="lifetime"]')?.textContent ?? null;
    show(asking());
    expect(line()).toBe('The access ends when you sign out, after an hour at the latest.');
    cleanup();
    show(asking({ isLasting: true }));
    expect(line()).toBeNull();
    cleanup();
    show(asking({ canAllow: false, lists: [] }));
    expect(line()).toBeNull();
  });

  it('shows the letter of the app until its logo has come, and when it does not come', () => {
    show(asking({ logoUrl: 'https://planner.example/logo.png' }));
    const ofApp = () => [...document.querySelectorAll<HTMLElement>('[data-part="app-mark"]')].at(-1);
    const mark = ofApp()!;
    const image = page.getByRole<HTMLImageElement>('img');
    expect([mark.dataset['state'], mark.textContent, image.referrerPolicy]).toEqual(['letter', 'P', 'no-referrer']);
    fireEvent.load(image);
    expect(mark.dataset['state']).toBe('come');
    cleanup();
    show(asking({ logoUrl: 'https://planner.example/broken.png' }));
    fireEvent.error(page.getByRole('img'));
    expect([page.queryByRole('img'), ofApp()?.textContent]).toEqual([null, 'P']);
    cleanup();
    show(asking({ logoUrl: 'http://tracker.example/logo.png' }));
    expect([page.queryByRole('img'), ofApp()?.textContent]).toEqual([null, 'P']);
    cleanup();
  });

  it('shows the first letters of the project and of the app where there are no logos', () => {
    const { container } = show(asking());
    const marks = [...container.querySelectorAll('[data-part="app-mark"]')];
    expect(marks.map(({ textContent }) => textContent)).toEqual(['A', 'P']);
    const between = container.querySelector('[data-part="marks"] > [aria-hidden]');
    expect([between?.textContent, between?.previousElementSibling, between?.nextElementSibling]).toEqual([
      '⇄',
      ...marks,
    ]);
  });

  it.each(['👨‍👩‍👧‍👦 Family', '🇩🇪 Deutsch', '\u200BX', 'E\u0301'])('shows the first sign of %s whole', (clientName) => {
    const { container } = show(asking({ clientName }));
    const mark = [...container.querySelectorAll('[data-part="app-mark"]')].at(-1);
    expect(mark?.textContent).toBe(clientName.split(/\u200B| /u).find(Boolean));
  });

  it('lists the scopes that cannot be granted in a notice that expands', () => {
    const { container } = show(asking({ ungrantable: ['Change your documents'] }));
    const notice = container.querySelector('details[data-part="notice"]');
    expect([notice?.hasAttribute('open'), notice?.textContent]).toEqual([
      false,
      'You do not have permissions to grant Planner access to some of the requested scopes.' +
        "You cannot grant Planner's request to:Change your documents",
    ]);
  });

  it('takes one answer', () => {
    const { model } = show(asking());
    press('Deny');
    press('Allow');
    press('Deny');
    expect(model.intents).toEqual([{ type: 'consent/denied' }]);
  });

  it('disables Allow when no scope can be granted', () => {
    const { model } = show(asking({ lists: [], canAllow: false, ungrantable: ['Change your documents'] }));
    press('Allow');
    expect(model.intents).toEqual([]);
    press('Deny');
    expect(model.intents).toHaveLength(1);
  });

  it('shows a host’s sections under their headers, as text', () => {
    const nasty = '<img src=x onerror=alert(1)>';
    const { container } = show(
      asking({ clientName: nasty, lists: [{ header: nasty, entries: [{ text: nasty, details: [nasty] }] }] }),
    );
    expect(container.querySelector('img')).toBeNull();
    expect(page.getByRole('heading', { level: 2 }).textContent).toBe(nasty);
    expect(page.getByRole('heading', { level: 1 }).querySelector('bdi')?.textContent).toBe(nasty);
  });
});

describe('wherever else the flow stands', () => {
  it.each([
    ['denied', 'Access to the application was denied.'],
    ['noSession', 'No active session detected. Please log in to continue.'],
    ['notLoggedOut', 'You have not been logged out. You may close this page.'],
    ['success', 'Success!'],
  ] as const)('says so: %s', (status, text) => {
    show({ status });
    expect(page.getByRole('heading').textContent).toBe(text);
    expect(page.queryByRole('button')).toBeNull();
  });

  it('shows the server’s own message, and begins anew where that can help', () => {
    const error = toAuthError(new Error('Required parameter is missing: client_id.'));
    const { container, model } = show({ status: 'error', error, canRetry: true });
    expect(page.getByRole('heading').textContent).toBe('Looks like there was an error!');
    expect(container.textContent).toContain('Required parameter is missing: client_id.');
    press('Try again');
    expect(model.sent('consent/retried')).toHaveLength(1);
    cleanup();
    const refused = (error_type: string) => apiError(error_type, 'No such app.', 404);
    show({ status: 'error', error: refused('connected_app_not_found'), canRetry: false });
    expect(page.getByText('No such app.')).toBeTruthy();
    for (const error of [null, refused('invalid_scope'), refused('invalid_request_uri')]) {
      cleanup();
      show({ status: 'error', error, canRetry: error !== null });
      expect(page.queryByRole('button')).toBeNull();
    }
  });

  it('asks whether to log out of the project’s account, and shows who is signed in', () => {
    const { container, model } = show({ status: 'confirmLogout', account: 'ada@example.com' });
    expect(page.getByRole('heading').textContent).toBe('Log out?');
    expect(container.textContent).toContain('Are you sure you want to log out of your Acme account?');
    expect(container.querySelector('[data-part=account]')?.textContent).toBe('Signed in as ada@example.com');
    press('No');
    press('Yes');
    press('Yes');
    press('No');
    expect(model.intents.map(({ type }) => type)).toEqual(['logout/refused', 'logout/confirmed']);
  });

  it('takes the focus over from the widget that it replaces, however late its code arrives', () => {
    const loading: Consent = { status: 'loading' };
    const { model } = showState({ screen: { name: 'IDPConsent' }, consent: loading, bootstrap }, { takesFocus: true });
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    model.tell({ type: 'consent/changed', consent: asking() });
    expect(document.activeElement).toBe(page.getByRole('heading', { level: 1 }));
  });

  it('moves the focus to the result of an answer, but not after loading', () => {
    const { model } = show({ status: 'loading' });
    model.tell({ type: 'consent/changed', consent: asking() });
    expect(document.activeElement).toBe(document.body);
    page.getByRole('button', { name: 'Deny' }).focus();
    model.tell({ type: 'consent/changed', consent: { status: 'denied' } });
    expect(document.activeElement).toBe(page.getByRole('heading'));
  });
});
