import { checkArguments } from '#domain/shape.ts';
import { oauth, type ReplyFor } from '../../api/index.ts';
import type { AuthError } from '#domain/errors.ts';
import { toAuthError } from '#domain/thrown.ts';
import { mayTryElsewhere, oneTapPlaces, type OneTapPlace } from '#domain/social/one-tap.ts';
import type { OneTapPosition } from '#domain/social/one-tap-positions.ts';
import type { LogPort, OneTapPort, OneTapShown } from '../../ports/index.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import type { SocialFlow } from './social-flow.ts';

/** The options of starting a One Tap login. */
export interface OneTapStartOptions {
  readonly login_redirect_url?: string | undefined;
  readonly signup_redirect_url?: string | undefined;
  readonly cancel_on_tap_outside?: boolean | undefined;
  readonly onOneTapCancelled?: (() => void) | undefined;
}

/** The options with which the widget shows the prompt. */
export interface OneTapOptionsOfWidget extends OneTapStartOptions {
  readonly position: OneTapPosition;
  /** The id of the element in which the prompt may show; null when there is none that Google's script can find. */
  readonly parentId: string | null;
  /**
   * Called when the user chose an account: the page will be left, unless `onFailed` follows. Returns a function that returns whether
   * the page may still be left.
   */
  readonly onChosen: () => () => boolean;
  readonly onFailed: (error: AuthError) => void;
  /** Called when it is known that the prompt can only show over the page. */
  readonly onFloating?: () => void;
}

/** The place of the prompt, or the reason why it does not show. `error` is set when the server or the network is the cause. */
export type OneTapOutcome =
  | { readonly place: OneTapPlace }
  | { readonly place: null; readonly reason: string; readonly error: AuthError | null };

type OneTapStartReply = ReplyFor<typeof oauth.oneTapStart>;

const START = {
  login_redirect_url: 'string?',
  signup_redirect_url: 'string?',
  cancel_on_tap_outside: 'boolean?',
} as const;

/** Google One Tap (specification, sections 4 and 7). */
export class OneTapLogin {
  constructor(
    private readonly wire: WireClient,
    private readonly prompt: OneTapPort,
    private readonly flow: SocialFlow,
    private readonly log: LogPort,
  ) {}

  /**
   * Shows the prompt over the page, and resolves with the result: shown, or the reason why not. When the user chooses an account, the
   * browser leaves the page as for a social login.
   */
  async start(options: OneTapStartOptions = {}): Promise<OneTapShown> {
    checkArguments('oauth.googleOneTap.start', START, options);
    const outcome = await this.show({
      ...options,
      position: 'floating',
      parentId: null,
      onChosen: () => () => true,
      onFailed: (error) => this.log.error('Google One Tap could not be completed.', error),
    });
    return outcome.place === null ? { success: false, reason: outcome.reason } : { success: true };
  }

  /** Shows the prompt in the configured position, or in the next one that this browser supports. */
  async show(options: OneTapOptionsOfWidget): Promise<OneTapOutcome> {
    const { position, parentId } = options;
    const byBrowser = await this.prompt.isDrawnByBrowser();
    const places = oneTapPlaces(position, { byBrowser, hasPlace: parentId !== null });
    if (places.length === 0) return { place: null, reason: 'not_displayed', error: null };
    if (places[0] === 'floating') options.onFloating?.();
    let reply: OneTapStartReply;
    try {
      reply = await this.wire.call(oauth.oneTapStart, { public_token: this.flow.publicToken });
    } catch (cause) {
      const error = toAuthError(cause);
      return { place: null, reason: error.kind === 'api' ? error.error_type : error.kind, error };
    }
    let reason = 'not_displayed';
    for (const place of places) {
      // oxlint-disable-next-line no-await-in-loop -- one place after the other
      const result = await this.showIn(place, reply, options);
      if (result.success) return { place };
      ({ reason } = result);
      if (!mayTryElsewhere(reason)) break;
    }
    return { place: null, reason, error: null };
  }

  hide(): void {
    this.prompt.hide();
  }

  private showIn(place: OneTapPlace, reply: OneTapStartReply, options: OneTapOptionsOfWidget): Promise<OneTapShown> {
    return this.prompt.show({
      clientId: reply.google_client_id,
      nonce: reply.oauth_callback_id,
      cancelOnTapOutside: options.cancel_on_tap_outside ?? true,
      ...(place === 'embedded' && options.parentId !== null ? { parentId: options.parentId } : {}),
      onCancelled: () => options.onOneTapCancelled?.(),
      onCredential: (idToken) => {
        const isWanted = options.onChosen();
        this.submit(idToken, reply.oauth_callback_id, options, isWanted).catch((error: unknown) => {
          if (isWanted()) options.onFailed(toAuthError(error));
        });
      },
    });
  }

  private async submit(
    id_token: string,
    oauth_callback_id: string,
    options: OneTapStartOptions,
    isWanted: () => boolean,
  ): Promise<void> {
    const { login_redirect_url, signup_redirect_url } = options;
    const { redirect_url } = await this.wire.call(oauth.oneTapSubmit, {
      public_token: this.flow.publicToken,
      id_token,
      oauth_callback_id,
      login_redirect_url,
      signup_redirect_url,
      code_challenge: await this.flow.challenge(),
    });
    if (isWanted()) this.flow.leave(redirect_url);
  }
}
