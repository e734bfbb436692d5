import {
  combineLatest,
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  filter,
  from,
  map,
  merge,
  of,
  type Observable,
} from 'rxjs';
import { consentPage, defaultLists, listsFrom, readPreflight, type MakeLists } from '../../../domain/consent.ts';
import { isOwnEndpoint } from '../../../domain/endpoints.ts';
import { parseOAuthAuthorizeParams, type OAuthAuthorizeParams } from '../../../domain/oauth-params.ts';
import {
  authorizeTable,
  failure,
  type AuthorizeCommand,
  type AuthorizeEvent,
} from '../../../domain/screens/consent-flow.ts';
import { ATTESTED_MINUTES } from '../../../domain/session.ts';
import { isRecord } from '../../../domain/shape.ts';
import { idp } from '../../api/index.ts';
import type { Services } from '../../services.ts';
import type { IdentityProviderOptions } from '../consent-options.ts';
import type { Effect } from '../widget-store.ts';
import { logoutEffect } from './logout.ts';
import { leaveFor, runFlow } from './run-flow.ts';

/** Who a trusted issuer says that the person is. */
interface Trusted {
  readonly profile_id: string;
  readonly token: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/**
 * What the page's query asks for: with a post-logout redirect a logout, else the authorization of an app
 * (specification, section 2). In a frame nothing is asked, unless the host allows it.
 */
export function consentEffects(services: Services, options: () => IdentityProviderOptions): readonly Effect[] {
  if (services.browser.isFramed && options().allowFraming !== true) {
    return [() => of({ type: 'consent/changed', consent: { status: 'framed' } })];
  }
  const query = new URL(services.browser.href()).searchParams;
  return [
    query.has('post_logout_redirect_uri') ? logoutEffect(services, query) : authorizeEffect(services, options, query),
  ];
}

/** Asks the server and the session what the authorize flow's table says. The browser goes nowhere but to the reply's address. */
function authorizeEffect(services: Services, options: () => IdentityProviderOptions, query: URLSearchParams): Effect {
  const { error, result: params } = parseOAuthAuthorizeParams(query);
  if (params === null) return () => from(failure(new Error(error), false));
  const calls = new AuthorizeCalls(services, options, params);
  return ({ events$ }) => {
    const here$ = concat(calls.arrived(), calls.people());
    const initial = { at: 'arriving', isReported: false } as const;
    return runFlow(authorizeTable(params), initial, merge(events$, here$), (command) => calls.perform(command));
  };
}

/** What the flow asks of the server, the session and the host. */
class AuthorizeCalls {
  constructor(
    private readonly services: Services,
    private readonly options: () => IdentityProviderOptions,
    private readonly params: OAuthAuthorizeParams,
  ) {}

  perform(command: AuthorizeCommand): Observable<AuthorizeEvent> {
    if (command.do === 'leave') return leaveFor(this.services.browser, command.url);
    return this.asking(async () => {
      if (command.do === 'preflight') return [await this.preflight()];
      if (command.do === 'submit') return [await this.submit(command.granted, command.scopes)];
      await this.services.lifecycle.revoke(false);
      return [];
    });
  }

  /** Makes the session that a trusted token is for, or looks for one that only the server can see. */
  arrived(): Observable<AuthorizeEvent> {
    return defer(async (): Promise<readonly AuthorizeEvent[]> => {
      const { sessions, lifecycle, project, wire } = this.services;
      const given = this.trusted();
      if (given !== null) return this.attest(given);
      if (sessions.mayBeSignedIn()) return [];
      // At an endpoint of the host's or the project's own the tokens may be in HttpOnly cookies.
      const isOwn = isOwnEndpoint(wire.origin) || (await project.bootstrap()).cnameDomain !== null;
      if (isOwn) await lifecycle.authenticate().catch(() => undefined);
      return [];
    }).pipe(concatMap((events) => events));
  }

  /** Whose session there is, once that is known. */
  people(): Observable<AuthorizeEvent> {
    const { sessions, refresher } = this.services;
    return combineLatest([sessions.session$, refresher.checking$]).pipe(
      filter(([session, checking]) => session !== null || !checking),
      map(([session]) => session?.user_id ?? null),
      distinctUntilChanged(),
      map((person) => ({ type: 'person', person })),
    );
  }

  private asking(ask: () => Promise<readonly AuthorizeEvent[]>): Observable<AuthorizeEvent> {
    const answered = (): Promise<readonly AuthorizeEvent[]> =>
      ask().catch((error: unknown) => [{ type: 'refused', error }]);
    return defer(answered).pipe(concatMap((events) => events));
  }

  /** The trusted token and its profile; null unless both are there: half of a pair ends nobody's session. */
  private trusted(): Trusted | null {
    const given: unknown = this.options().authTokenParams ?? null;
    if (given === null) return null;
    const { trustedAuthToken: token, tokenProfileID: profile_id } = isRecord(given) ? given : {};
    if (isText(token) && isText(profile_id)) return { token, profile_id };
    this.services.log.warn('authTokenParams is ignored: trustedAuthToken and tokenProfileID must both be there.');
    return null;
  }

  private async attest(trusted: Trusted): Promise<readonly AuthorizeEvent[]> {
    const { sessions, lifecycle, sessionExchange } = this.services;
    const minutes = this.options().config.sessionOptions?.sessionDurationMinutes ?? ATTESTED_MINUTES;
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
    const { client_id, redirect_uri, response_type, scopes, prompt, max_age } = this.params;
    const asked = { client_id, redirect_uri, response_type, scopes, prompt, max_age };
    const [reply] = await Promise.all([wire.call(idp.authorizeStart, asked), project.bootstrap()]);
    const { granted, verdict } = readPreflight(reply, scopes);
    if (granted !== null) return { type: 'passed', scopes: granted };
    if (verdict === null) throw new Error('The server did not say what the app asks for.');
    // Whose account the server grants. One that does not say leaves what is known here.
    const user: unknown = reply.user ?? sessions.state().user;
    const page = consentPage(this.params, reply.client, user, verdict, this.lists);
    return { type: 'consentRequired', scopes: verdict.grantable.map(({ scope }) => scope), page };
  }

  private async submit(granted: boolean, scopes: readonly string[]): Promise<AuthorizeEvent> {
    const body = { ...this.params, scopes: [...scopes], consent_granted: granted };
    const { redirect_uri } = await this.services.wire.call(idp.authorizeSubmit, body);
    return { type: 'answered', redirectUri: redirect_uri };
  }

  /** What is asked for in the host's own words, where it has some that can be shown; else in ours. */
  private readonly lists: MakeLists = (scopes, clientName) => {
    const make = this.options().getIDPConsentManifest;
    if (make === undefined) return defaultLists(scopes);
    const { log } = this.services;
    try {
      const made = listsFrom(make({ scopes, clientName }));
      if (made !== null) return made;
      log.error('getIDPConsentManifest returned no manifest: the default one is shown.');
    } catch (error) {
      log.error('getIDPConsentManifest threw: the default one is shown.', error);
    }
    return defaultLists(scopes);
  };
}
