import { oauth } from '../api/index.ts';
import { toAuthError } from '../../domain/errors.ts';
import type { BrowserPort, LogPort, OneTapPort, OneTapShown } from '../ports/index.ts';
import type { ClientKeys } from '../session/client-keys.ts';
import type { ProofKeys } from '../session/proof-keys.ts';
import type { WireClient } from '../wire/wire-client.ts';
import type { Project } from './project.ts';

/** What a One Tap login may be started with. */
export interface OneTapStartOptions {
  readonly login_redirect_url?: string | undefined;
  readonly signup_redirect_url?: string | undefined;
  readonly cancel_on_tap_outside?: boolean | undefined;
  readonly onOneTapCancelled?: (() => void) | undefined;
}

/** Google One Tap (specification, sections 4 and 7). */
export class OneTapLogin {
  constructor(
    private readonly wire: WireClient,
    private readonly prompt: OneTapPort,
    private readonly proofKeys: ProofKeys,
    private readonly project: Project,
    private readonly keys: ClientKeys,
    private readonly browser: BrowserPort,
    private readonly log: LogPort,
  ) {}

  /** Shows the prompt. When the person chooses an account, the page is left as for a social login. */
  async start(options: OneTapStartOptions): Promise<OneTapShown> {
    let begun: { readonly google_client_id: string; readonly oauth_callback_id: string };
    try {
      begun = await this.wire.call(oauth.oneTapStart, { public_token: this.keys.publicToken });
    } catch (thrown) {
      const error = toAuthError(thrown);
      return { success: false, reason: error.kind === 'api' ? error.error_type : error.kind };
    }
    const { pkceRequiredForOAuth } = await this.project.bootstrap();
    return this.prompt.show({
      clientId: begun.google_client_id,
      cancelOnTapOutside: options.cancel_on_tap_outside ?? true,
      onCancelled: () => options.onOneTapCancelled?.(),
      onCredential: (idToken) => {
        this.submit(idToken, begun.oauth_callback_id, options, pkceRequiredForOAuth).catch((error: unknown) =>
          this.log.error('Google One Tap could not be completed.', error),
        );
      },
    });
  }

  private async submit(
    id_token: string,
    oauth_callback_id: string,
    { login_redirect_url, signup_redirect_url }: OneTapStartOptions,
    pkce: boolean,
  ): Promise<void> {
    const { redirect_url } = await this.wire.call(oauth.oneTapSubmit, {
      public_token: this.keys.publicToken,
      id_token,
      oauth_callback_id,
      login_redirect_url,
      signup_redirect_url,
      code_challenge: await this.proofKeys.challengeFor('oauth', pkce),
    });
    this.browser.navigate(redirect_url);
  }
}
