/**
 * A small replacement for the script of Google Identity Services, to use One Tap without a network. It implements `initialize`, `prompt`,
 * `renderButton`, `cancel` and `disableAutoSelect` of `google.accounts.id`, and shows the built-in account page in a frame. Each script is
 * served as the source text of its function, so the function must not use anything outside of it.
 */

interface Configuration {
  readonly client_id: string;
  readonly callback: (response: { readonly credential: string; readonly select_by: string }) => void;
  readonly nonce?: string;
  readonly prompt_parent_id?: string;
  readonly cancel_on_tap_outside?: boolean;
}

type PromptMoment = 'display' | 'skipped' | 'dismissed';
type Listener = (notification: Readonly<Record<string, () => unknown>>) => void;

function gsiClient(): void {
  const base = new URL((document.currentScript as HTMLScriptElement).src).origin;
  let configuration: Configuration | null = null;
  let close: ((reason: string) => void) | null = null;

  /** Sends the vendor's "prompt moment notification". */
  function notify(listener: Listener | undefined, moment: PromptMoment, reason: string): void {
    listener?.({
      getMomentType: () => moment,
      isDisplayMoment: () => moment === 'display',
      isDisplayed: () => moment === 'display' && reason === '',
      isNotDisplayed: () => moment === 'display' && reason !== '',
      getNotDisplayedReason: () => (moment === 'display' ? reason : ''),
      isSkippedMoment: () => moment === 'skipped',
      getSkippedReason: () => (moment === 'skipped' ? reason : ''),
      isDismissedMoment: () => moment === 'dismissed',
      getDismissedReason: () => (moment === 'dismissed' ? reason : ''),
    });
  }

  function prompt(listener?: Listener): void {
    close?.('flow_restarted');
    if (configuration === null) {
      notify(listener, 'display', 'missing_client_id');
      return;
    }
    const { client_id, callback, nonce, prompt_parent_id, cancel_on_tap_outside } = configuration;
    const query = new URLSearchParams({
      client_id,
      origin: location.origin,
      ...(nonce === undefined ? {} : { nonce }),
    });
    const frame = document.createElement('iframe');
    frame.title = 'Sign in with Google';
    frame.id = 'credential_picker_iframe';
    frame.src = `${base}/accounts/google/gsi/select?${query}`;
    const parent = prompt_parent_id === undefined ? null : document.getElementById(prompt_parent_id);
    const place = parent === null ? { position: 'fixed', top: '12px', right: '12px', zIndex: '2147483647' } : {};
    Object.assign(frame.style, { border: '0', width: '391px', maxWidth: '96vw', height: '600px', ...place });

    const onMessage = (event: MessageEvent<unknown>): void => {
      if (event.origin !== base || event.source !== frame.contentWindow) return;
      const data = (event.data ?? {}) as { readonly type?: unknown; readonly credential?: unknown };
      if (data.type === 'portico:one-tap:closed') close?.('user_cancel');
      if (data.type !== 'portico:one-tap:credential' || typeof data.credential !== 'string') return;
      close?.('credential_returned');
      callback({ credential: data.credential, select_by: 'user' });
    };
    const onTap = (): void => {
      if (cancel_on_tap_outside !== false) close?.('tap_outside');
    };
    close = (reason) => {
      close = null;
      frame.remove();
      removeEventListener('message', onMessage);
      document.removeEventListener('click', onTap);
      const skipped = reason === 'user_cancel' || reason === 'tap_outside';
      notify(listener, skipped ? 'skipped' : 'dismissed', reason);
    };
    addEventListener('message', onMessage);
    // Starts listening after the current click, which would otherwise count as a click outside the prompt.
    setTimeout(() => document.addEventListener('click', onTap));
    (parent ?? document.body).append(frame);
    notify(listener, 'display', '');
  }

  const id = {
    initialize(options: Configuration): void {
      configuration = options;
    },
    prompt,
    renderButton(parent: HTMLElement): void {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Sign in with Google';
      button.addEventListener('click', () => prompt());
      parent.replaceChildren(button);
    },
    cancel: () => close?.('cancel_called'),
    disableAutoSelect: () => undefined,
  };
  Object.assign(window, { google: { accounts: { id } } });
}

function gsiSelect(): void {
  const root = document.querySelector<HTMLFieldSetElement>('#one-tap');
  const status = document.querySelector<HTMLElement>('#status');
  const query = new URLSearchParams(location.search);
  const tell = (message: object): void => {
    window.parent.postMessage(message, root?.dataset['parent'] ?? location.origin);
  };

  async function choose(email: string, verified: boolean): Promise<void> {
    const reply = await fetch('/accounts/google/gsi/credential', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: query.get('client_id'),
        nonce: query.get('nonce'),
        email,
        email_verified: verified,
      }),
    });
    const { credential } = (await reply.json()) as { readonly credential?: string };
    if (credential !== undefined) tell({ type: 'portico:one-tap:credential', credential });
    else if (status !== null) status.textContent = 'This address cannot be used.';
  }

  document.addEventListener('submit', (event) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement, event.submitter);
    const demo = form.get('account');
    const email = demo ?? form.get('email');
    void choose(typeof email === 'string' ? email : '', demo !== null || form.has('verified'));
  });
  document.querySelector('#close')?.addEventListener('click', () => tell({ type: 'portico:one-tap:closed' }));
  if (root !== null) root.disabled = false;
}

export const gsiScript = `(${gsiClient.toString()})();\n`;
export const gsiSelectScript = `(${gsiSelect.toString()})();\n`;
