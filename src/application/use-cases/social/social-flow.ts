import { safeUrl } from '#domain/safe-url.ts';
import { oauth } from '../../api/index.ts';
import type { BrowserPort, FormPostPort } from '../../ports/index.ts';
import type { ClientKeys } from '../../wire/client-keys.ts';
import type { LastMethod } from '../../session/last-method.ts';
import type { ProofKeys } from '../../session/proof-keys.ts';
import type { Project } from '../project/project.ts';

/** The common part of social logins and One Tap: they leave the page with a challenge and return with a token. */
export class SocialFlow {
  constructor(
    private readonly project: Project,
    private readonly proofKeys: ProofKeys,
    private readonly keys: ClientKeys,
    private readonly browser: BrowserPort,
    private readonly formPost: FormPostPort,
    private readonly lastMethod: LastMethod,
  ) {}

  get publicToken(): string {
    return this.keys.publicToken;
  }

  /** The challenge of a new login, or undefined when neither the project nor the login requires one. */
  async challenge(isRequired = false): Promise<string | undefined> {
    const { pkceRequiredForOAuth } = await this.project.bootstrap();
    return this.proofKeys.challengeFor('oauth', isRequired || pkceRequiredForOAuth);
  }

  /** True when a login with a challenge is unfinished. */
  hasVerifier(): boolean {
    return this.proofKeys.isKnown('oauth');
  }

  /**
   * Leaves the page. Throws a RangeError for a URL that is not a web page, such as one with an app's private scheme.
   *
   * @param server the server's origin, if the URL belongs to the server: it may be http
   */
  leave(url: string, server = ''): void {
    if (safeUrl(url, server) === null) throw new RangeError('Refused to navigate: the URL is not safe');
    this.browser.navigate(url);
  }

  /** Like `leave`, with the fields in the body of a form. */
  post(url: string, fields: Readonly<Record<string, string>>): void {
    this.formPost.submit(url, fields);
  }

  /** Exchanges the token with which the page returned. */
  async end<Reply>(token: string, exchange: (code_verifier: string | undefined) => Promise<Reply>): Promise<Reply> {
    const reply = await this.proofKeys.redeem(['oauth'], oauth.authenticate, { token }, exchange);
    this.lastMethod.comeBack();
    return reply;
  }
}
