import { describe, expect, it, vi } from 'vitest';
import type { OneTapOptions } from '#application/ports/index.ts';
import { GoogleOneTap } from '#infrastructure/social/google-one-tap.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { ScriptLoader } from '#infrastructure/risk/script-loader.ts';
import { StandInGoogle } from './support/google-identity.ts';
import { ScriptPage } from './support/script-page.ts';

function world(fedcm: boolean) {
  const [page, clock, google] = [new ScriptPage(), new VirtualClock(), new StandInGoogle(fedcm)];
  page.served.set('https://accounts.google.com/gsi/client', google.run.bind(google));
  const loader = new ScriptLoader(page.window, clock, { 'https://accounts.google.com': 'no-cors' });
  const options = {
    clientId: 'client-1',
    nonce: 'nonce-1',
    cancelOnTapOutside: true,
    onCredential: vi.fn<OneTapOptions['onCredential']>(),
    onCancelled: vi.fn<OneTapOptions['onCancelled']>(),
  };
  const oneTap = new GoogleOneTap(page.window, clock, loader);
  const show = async () => {
    const shown = oneTap.show(options);
    await clock.advance(3_000);
    return shown;
  };
  return { page, clock, google, oneTap, options, show };
}

describe('GoogleOneTap', () => {
  const reasons = {
    unregistered_origin: 'unregistered_origin',
    invalid_client: 'invalid_client',
    missing_client_id: 'invalid_client',
    opt_out_or_no_session: 'opt_out',
    suppressed_by_user: 'user_cancel',
    browser_not_supported: 'not_displayed',
    secure_http_required: 'not_displayed',
    unknown_reason: 'not_displayed',
    toString: 'not_displayed',
  };
  for (const [theirs, ours] of Object.entries(reasons)) {
    it(`reports ${ours} when the library says that it did not show the prompt for ${theirs}`, async () => {
      const { google, show } = world(false);
      google.refusal = theirs;
      expect(await show()).toEqual({ success: false, reason: ours });
    });
  }

  it('reports skipped when the browser shows no prompt and does not say why', async () => {
    const { google, show } = world(true);
    google.refusal = 'the browser keeps it to itself';
    expect(await show()).toEqual({ success: false, reason: 'skipped' });
  });

  it('does not wait for the browser’s silence where the library tells of the display', async () => {
    const { clock, options, oneTap } = world(false);
    const before = clock.now();
    expect(await oneTap.show(options)).toEqual({ success: true });
    expect([clock.now(), clock.pending]).toEqual([before, 0]);
  });

  it('asks for FedCM and no automatic choice, with the options it was given', async () => {
    const { google, show } = world(true);
    await show();
    const [{ callback: _, ...asked } = { callback: null }] = google.initialized;
    expect(asked).toEqual({
      client_id: 'client-1',
      nonce: 'nonce-1',
      cancel_on_tap_outside: true,
      auto_select: false,
      use_fedcm_for_prompt: true,
    });
  });

  it('asks for the older way, in the element, where it is to stand in one', async () => {
    const { clock, google, oneTap, options } = world(false);
    const shown = oneTap.show({ ...options, parentId: 'place' });
    await clock.advance(3_000);
    await shown;
    expect(google.initialized[0]).toMatchObject({ prompt_parent_id: 'place', use_fedcm_for_prompt: false });
  });

  it('knows a browser that draws prompts itself by FedCM’s own interface', () => {
    const { page, oneTap } = world(true);
    expect(oneTap.isDrawnByBrowser()).toBe(false);
    page.globals['IdentityCredential'] = Object;
    expect(oneTap.isDrawnByBrowser()).toBe(true);
  });

  it('takes a tap outside for cancelling, and the host’s own prompt for the end of ours', async () => {
    for (const end of ['tap_outside', 'flow_restarted'] as const) {
      const { page, google, options, show } = world(false);
      await show();
      if (end === 'tap_outside') google.cancel(end);
      else
        (page.globals['google'] as { accounts: { id: { prompt(tell: () => void): void } } }).accounts.id.prompt(
          () => {},
        );
      expect(options.onCancelled).toHaveBeenCalledTimes(1);
    }
  });

  it('takes no credential that is none', async () => {
    for (const nonsense of [undefined, null, '', 7, {}]) {
      const { google, options, show } = world(true);
      await show();
      google.choose(nonsense);
      expect(options.onCredential).not.toHaveBeenCalled();
    }
  });

  it('takes a credential that comes before the prompt was known to be there', async () => {
    const { clock, google, oneTap, options } = world(true);
    const shown = oneTap.show(options);
    await clock.advance(0);
    google.choose('a.b.c');
    expect(await shown).toEqual({ success: true });
    expect(options.onCredential).toHaveBeenCalledWith('a.b.c');
  });

  it('reports unknown when the library throws, and not_displayed when it is another', async () => {
    const { page, show } = world(true);
    const script = 'https://accounts.google.com/gsi/client';
    page.served.set(script, (globals) => void (globals['google'] = { accounts: {} }));
    expect(await show()).toEqual({ success: false, reason: 'not_displayed' });
    page.served.set(script, (globals) => {
      const initialize = (): never => {
        throw new Error('no');
      };
      globals['google'] = { accounts: { id: { initialize, prompt: initialize } } };
    });
    expect(await show()).toEqual({ success: false, reason: 'unknown' });
  });

  it('does not call the library when it has no prompt to hide', () => {
    const { google, page, oneTap } = world(true);
    google.run(page.globals);
    oneTap.hide();
    expect(google.cancels).toBe(0);
  });
});
