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
import { safeReturnPath } from '../../../domain/return-path.ts';
import { safeUrl } from '../../../domain/safe-url.ts';
import { ATTESTED_MINUTES } from '../../../domain/session.ts';
import { isRecord } from '../../../domain/shape.ts';
import { idp } from '../../api/index.ts';
import type { Services } from '../../services.ts';
import type { IdentityProviderOptions } from '../consent-options.ts';
import type { Effect } from '../widget-store.ts';
import { logoutEffect } from './logout.ts';
import { leaveFor, runFlow } from './run-flow.ts';

/** The user as a trusted issuer identifies them. */
interface Trusted {
  readonly profile_id: string;
  readonly token: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/**
 * The flow that the page's query requests: a logout if there is a post-logout redirect, else the authorization of an app
 * (specification, section 2). In a frame the user is not asked, unless the host allows it.
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

/** Runs the commands of the authorize flow's table. The browser is redirected only to the address in the server's reply. */
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

/** The flow's calls to the server, the session and the host. */
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

  /** Creates the session of a trusted token, or looks for a session that only the server can see. */
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

  /** The user of the session, once it is known. */
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

  /** The trusted token and its profile; null unless both are given, so that an incomplete pair does not end a session. */
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
    // The account for which the server grants access. If the reply does not name it, the known user is kept.
    const user: unknown = reply.user ?? sessions.state().user;
    const page = consentPage(this.params, reply.client, user, verdict, this.lists, this.accountUrl());
    return { type: 'consentRequired', scopes: verdict.grantable.map(({ scope }) => scope), page };
  }

  private async submit(granted: boolean, scopes: readonly string[]): Promise<AuthorizeEvent> {
    const body = { ...this.params, scopes: [...scopes], consent_granted: granted };
    const { redirect_uri } = await this.services.wire.call(idp.authorizeSubmit, body);
    return { type: 'answered', redirectUri: redirect_uri };
  }

  /** The host's page of connected apps; an address that is not safe to follow is left out. */
  private accountUrl(): string | null {
    const given: unknown = this.options().accountUrl ?? null;
    if (given === null) return null;
    const path = safeReturnPath(given, '');
    const url = typeof given !== 'string' ? null : path === '' ? safeUrl(given) : path;
    if (url === null)
      this.services.log.warn('accountUrl is ignored: it must be an https address, or a path that begins with /.');
    return url;
  }

  /** The requested scopes in the host's own words if it gives valid ones, else in ours. */
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
