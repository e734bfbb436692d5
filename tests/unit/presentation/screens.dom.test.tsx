import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { BROKEN, FIXTURES, MAGIC_LINK, otpSent } from '../../gallery/fixtures.ts';
import { OTP_SCREEN, showScreen, showState } from './show.tsx';
import { oneOf } from '../../soak.ts';

afterEach(cleanup);

const text = (): string => document.body.textContent ?? '';
const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

describe('The texts of the specification', () => {
  it('Main', () => {
    showScreen({ name: 'Main', email: '' });
    expect(heading()).toBe('Sign up or log in');
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Email address' });
    expect(field).toMatchObject({ type: 'email', required: true, placeholder: 'example@email.com' });
    expect(field.getAttribute('autocomplete')).toBe('email');
    expect(screen.getByRole('button').textContent).toBe('Continue with email');
  });

  it('Main without its header, and with no way to log in by email, still stands', () => {
    const { container } = showScreen(
      { name: 'Main', email: '' },
      { styles: { hideHeaderText: true }, config: { products: [] } },
    );
    expect(screen.queryByRole('heading')).toBeNull();
    expect(container.querySelector('input, button')).toBeNull();
  });

  it('EmailConfirmation', () => {
    showScreen({ name: 'EmailConfirmation', email: 'ada@example.com' }, { config: MAGIC_LINK });
    expect(heading()).toBe('Check your email');
    expect(text()).toContain('An email was sent to ada@example.com.');
    expect(text()).toContain('Didn’t get it? Try again');
    const links = screen.getAllByRole<HTMLAnchorElement>('link');
    expect(links.map((link) => link.textContent)).toEqual(['Open in Gmail', 'Open in Yahoo', 'Open in Outlook']);
    for (const link of links) expect(link).toMatchObject({ target: '_blank', rel: 'noopener noreferrer' });
    expect(links[0]?.href).toContain('from%3A(%40stytch.com)');
  });

  it('EmailConfirmation narrows the mailboxes to the configured domain', () => {
    showScreen(
      { name: 'EmailConfirmation', email: 'ada@example.com' },
      { config: { ...MAGIC_LINK, emailMagicLinksOptions: { domainHint: 'acme.test' } } },
    );
    const searches = () => screen.getAllByRole<HTMLAnchorElement>('link').map(({ href }) => href.includes('acme.test'));
    // Outlook has no address for a search.
    expect(searches()).toEqual([true, true, false]);
    cleanup();
    showState(
      {
        screen: { name: 'EmailConfirmation', email: 'ada@yahoo.fr' },
        bootstrap: { ...DEFAULT_BOOTSTRAP, emailDomains: ['acme.test'] },
      },
      { config: MAGIC_LINK },
    );
    expect(searches()).toEqual([true, true, false]);
  });

  it.each([
    ['ada@googlemail.com', 'Gmail', 'provider-mark'],
    ['ada@hotmail.fr', 'Outlook', null],
    ['ada@me.com', 'iCloud', null],
  ])('EmailConfirmation opens the mailbox of %s first, and OTPAuthenticate it alone', (email, mailbox, mark) => {
    const { container } = showScreen({ name: 'EmailConfirmation', email }, { config: MAGIC_LINK });
    const links = screen.getAllByRole<HTMLAnchorElement>('link');
    const others = ['Gmail', 'Yahoo', 'Outlook'].filter((name) => name !== mailbox);
    expect(links.map((link) => link.textContent)).toEqual([mailbox, ...others].map((name) => `Open in ${name}`));
    expect(links.map((link) => link.dataset['part'])).toEqual(['button', ...others.map(() => 'mailbox')]);
    expect([...container.querySelectorAll('a svg')].map((svg) => svg.getAttribute('data-part'))).toEqual([mark]);
    cleanup();
    showScreen({ name: 'OTPAuthenticate', otp: otpSent({ destination: email }) });
    expect(screen.getByRole('link').textContent).toBe(`Open in ${mailbox}`);
  });

  it('EmailConfirmation and OTPAuthenticate show an address in another script as it was written', () => {
    const email = 'ada@xn--kse-qla.example';
    showScreen({ name: 'EmailConfirmation', email }, { config: MAGIC_LINK });
    expect(text()).toContain('An email was sent to ada@käse.example.');
    cleanup();
    showScreen({ name: 'OTPAuthenticate', otp: otpSent({ destination: email }) });
    expect(text()).toContain('was sent to you at ada@käse.example.');
  });

  it('OTPAuthenticate', () => {
    showScreen(OTP_SCREEN);
    expect(screen.queryByRole('link')).toBeNull();
    expect(heading()).toBe('Enter passcode');
    expect(text()).toContain('A 6-digit passcode was sent to you at ada@example.com.');
    expect(text()).toContain('Your code expires in 4:59.');
    expect(text()).toContain("Didn't get it? Resend code");
    expect(screen.getByRole('button', { name: 'Back' })).toBeTruthy();
  });

  it('OTPAuthenticate while it verifies', () => {
    const { container } = showState({ screen: OTP_SCREEN, pending: 'otp/codeEntered' });
    expect(text()).toContain('Verifying passcode...');
    expect(container.querySelector('[data-part=progress]')).not.toBeNull();
  });

  it('the two successes', () => {
    showScreen({ name: 'OTPConfirmation' });
    expect(heading()).toBe('Success!');
    expect(text()).toContain('Your passcode has been successfully verified.');
    cleanup();
    showScreen({ name: 'AuthenticateFlowComplete' });
    expect(heading()).toBe('Success!');
    expect(text()).toContain('You have successfully logged in.');
  });

  it('shows the watermark only where the project asks for it', () => {
    const { model } = showScreen({ name: 'Main', email: '' });
    expect(text()).not.toContain('Powered by');
    model.set({ bootstrap: { ...DEFAULT_BOOTSTRAP, displayWatermark: true } });
    expect(screen.getByRole('link').textContent).toBe('Powered by Portico');
  });

  it('covers the content while it loads, and keeps what was typed', () => {
    const { model, container } = showState({ loading: true, screen: { name: 'Main', email: 'ada@example.com' } });
    expect(screen.getByText('Loading…')).toBeTruthy();
    expect(container.querySelector('[data-part=content]')?.getAttribute('aria-hidden')).toBe('true');
    model.set({ loading: false });
    expect(screen.queryByText('Loading…')).toBeNull();
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('ada@example.com');
  });

  it('a host can say it in other words', () => {
    showScreen(OTP_SCREEN, { strings: { 'otp.title': 'Code', 'otp.sent': '{destination}: look there' } });
    expect(heading()).toBe('Code');
    expect(text()).toContain('ada@example.com: look there');
  });
});

describe('A screen that throws', () => {
  it('gives way to the generic error screen, which leads back', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { model } = showScreen(OTP_SCREEN);
    model.set(BROKEN);
    expect(heading()).toBe('Looks like there was an error!');
    expect(document.activeElement).toBe(screen.getByRole('heading'));
    await userEvent.click(screen.getByRole('button', { name: 'Go back' }));
    expect(heading()).toBe('Sign up or log in');
    expect(document.activeElement).toBe(screen.getByRole('heading'));
    expect(model.sent('back')).toHaveLength(1);
  });

  it('throws again to the same screen, and takes no focus when it is the first to show', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { model } = showState(BROKEN);
    expect(document.activeElement).toBe(document.body);
    vi.spyOn(model, 'send').mockImplementation(() => {});
    await userEvent.click(screen.getByRole('button', { name: 'Go back' }));
    expect(heading()).toBe('Looks like there was an error!');
  });
});

describe('The gallery', () => {
  it.each(oneOf(6, FIXTURES).map((fixture) => [fixture.id, fixture] as const))(
    '%s has no markup but ours and no inline style',
    (_, fixture) => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const { container } = showState(fixture.state, fixture);
      expect(container.querySelector('[style], style, script, iframe, object')).toBeNull();
      expect(container.querySelectorAll('h1').length).toBeLessThanOrEqual(1);
      for (const image of container.querySelectorAll('img')) {
        expect(image.src).toMatch(/^(?:https:|data:image\/(?:png|jpeg|gif|webp);)/u);
        expect(image.referrerPolicy).toBe('no-referrer');
      }
      for (const link of container.querySelectorAll<HTMLAnchorElement>('a[target]'))
        expect(link.rel).toContain('noopener');
    },
  );
});
