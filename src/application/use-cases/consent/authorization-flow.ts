import { concat, concatMap, defer, merge, type Observable } from 'rxjs';
import { consentPage, readPreflight, type MakeLists } from '#domain/consent/consent.ts';
import type { OAuthAuthorizeParams } from '#domain/consent/oauth-params.ts';
import {
  authorizeTable,
  type AuthorizeCommand,
  type AuthorizeEvent,
  type AuthorizeState,
} from '#domain/screens/consent-flow.ts';
import type { EventOf, Outcome, WidgetEvent } from '#domain/screens/event.ts';
import { ATTESTED_MINUTES } from '#domain/sessions/session.ts';
import { isRecord } from '#domain/shape.ts';
import { idp } from '../../api/index.ts';
import type { BrowserPort, LogPort } from '../../ports/index.ts';
import type { IdentityProviderOptions } from '../../widget/consent-options.ts';
import { manifestLists, safeAccountUrl } from './consent-page-options.ts';
import { endIfOver, findHiddenSession, presentUser, type PresentUserServices } from '../account/present-user.ts';
import { leaveFor, ownPlace, runFlow } from '../run-flow.ts';
import type { SessionExchange } from '../sessions/session-exchange.ts';

/** The services of the client that the flow uses. */
export interface AuthorizationServices extends PresentUserServices {
  readonly sessionExchange: Pick<SessionExchange, 'attest'>;
  readonly browser: BrowserPort;
  readonly log: LogPort;
}

/** The options of the page's host. `sessionDurationMinutes` is for the session that a trusted token creates. */
export interface AuthorizationOptions extends Pick<
  IdentityProviderOptions,
  'getIDPConsentManifest' | 'authTokenParams' | 'reportsBeforeLeaving' | 'accountUrl'
> {
  readonly sessionDurationMinutes?: number | undefined;
}

/** The person's answer to the question of the flow. */
export type AuthorizationChoice = EventOf<
  'consent/allowed' | 'consent/denied' | 'consent/switched' | 'consent/retried'
>;

/** The user as a trusted issuer identifies them. */
interface TrustedIdentity {
  readonly profile_id: string;
  readonly token: string;
}

/**
 * A refusal counts only if consent is required. With this prompt it is required, even if the person has allowed the app in another tab
 * since this page was shown.
 */
function withConsent(prompt: string | undefined): string {
  const words = (prompt ?? '').split(' ').filter((word) => word !== '');
  return words.includes('consent') || words.includes('none') ? words.join(' ') : [...words, 'consent'].join(' ');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/**
 * The authorization of an app, without a screen (specification, section 4): runs the flow's table, and its calls to the server, the
 * session and the host. One instance serves one request of an app.
 */
export class AuthorizationFlow {
  constructor(
    private readonly services: AuthorizationServices,
    private readonly options: () => AuthorizationOptions,
    private readonly params: OAuthAuthorizeParams,
    /** Called before the browser leaves. */
    private readonly onLeave: () => void = () => undefined,
  ) {}

  /** Runs until it is unsubscribed. The browser is redirected only to the address in the server's reply. */
  run(choices$: Observable<AuthorizationChoice | WidgetEvent>): Observable<Outcome> {
    const here$ = concat(this.arrived(), presentUser(this.services));
    const place = ownPlace<AuthorizeState>({ at: 'arriving', isReported: false });
    const table = authorizeTable(this.params, this.options().reportsBeforeLeaving);
    return runFlow(table, place, merge(choices$, here$), (command) => this.perform(command));
  }

  private perform(command: AuthorizeCommand): Observable<AuthorizeEvent> {
    if (command.do === 'leave') {
      this.onLeave();
      return leaveFor(this.services.browser, command.url);
    }
    return this.asking(async () => {
      if (command.do === 'preflight') return [await this.preflight()];
      if (command.do === 'submit') return [await this.submit(command.granted, command.scopes)];
      await this.services.lifecycle.revoke(false);
      return [];
    });
  }

  /** Creates the session of a trusted token, or looks for a session that only the server can see. */
  private arrived(): Observable<AuthorizeEvent> {
    return defer(async (): Promise<readonly AuthorizeEvent[]> => {
      const identity = this.trusted();
      if (identity !== null) return this.attest(identity);
      await findHiddenSession(this.services);
      return [];
    }).pipe(concatMap((events) => events));
  }

  private asking(ask: () => Promise<readonly AuthorizeEvent[]>): Observable<AuthorizeEvent> {
    const attempt = (): Promise<readonly AuthorizeEvent[]> =>
      ask().catch((error: unknown) => {
        endIfOver(this.services, error);
        return [{ type: 'refused', error }];
      });
    return defer(attempt).pipe(concatMap((events) => events));
  }

  /** The trusted token and its profile; null unless both are given, so that an incomplete pair does not end a session. */
  private trusted(): TrustedIdentity | null {
    const tokenParams: unknown = this.options().authTokenParams ?? null;
    if (tokenParams === null) return null;
    const { trustedAuthToken: token, tokenProfileID: profile_id } = isRecord(tokenParams) ? tokenParams : {};
    if (isText(token) && isText(profile_id)) return { token, profile_id };
    this.services.log.warn('authTokenParams is ignored: trustedAuthToken and tokenProfileID must both be there.');
    return null;
  }

  private async attest(trusted: TrustedIdentity): Promise<readonly AuthorizeEvent[]> {
    const { sessions, lifecycle, sessionExchange } = this.services;
    const minutes = this.options().sessionDurationMinutes ?? ATTESTED_MINUTES;
    if (sessions.mayBeSignedIn()) await lifecycle.revoke(true).catch(() => undefined);
    try {
      await sessionExchange.attest({ ...trusted, session_duration_minutes: minutes });
      return [];
    } catch (error) {
      return [{ type: 'attestFailed', error }];
    }
  }

  private async preflight(): Promise<AuthorizeEvent> {
    const { wire, project, sessions } = this.services;
    const { client_id, redirect_uri, response_type, scopes, prompt, max_age, authorization_request } = this.params;
    const request = { client_id, redirect_uri, response_type, scopes, prompt, max_age, authorization_request };
    const [reply] = await Promise.all([wire.call(idp.authorizeStart, request), project.bootstrap()]);
    const { granted, verdict } = readPreflight(reply, scopes);
    if (granted !== null) return { type: 'passed', scopes: granted };
    if (verdict === null) throw new Error('The server did not say what the app asks for.');
    // The account that the server grants access for. If the reply does not name it, the known user is kept.
    const user: unknown = reply.user ?? sessions.state().user;
    const beside = { accountUrl: safeAccountUrl(this.options(), this.services.log), resources: reply.resources };
    const page = consentPage(this.params, reply.client, user, verdict, this.lists, beside);
    return { type: 'consentRequired', scopes: verdict.grantable.map(({ scope }) => scope), page };
  }

  private async submit(granted: boolean, scopes: readonly string[]): Promise<AuthorizeEvent> {
    const { prompt, login_hint: _, ui_locales: __, ...params } = this.params;
    const request = { ...params, prompt: granted ? prompt : withConsent(prompt) };
    const body = { ...request, scopes: [...scopes], consent_granted: granted };
    const { redirect_uri } = await this.services.wire.call(idp.authorizeSubmit, body);
    return { type: 'answered', redirectUri: redirect_uri };
  }

  private readonly lists: MakeLists = (scopes, clientName) =>
    manifestLists(this.options(), this.services.log, scopes, clientName);
}
