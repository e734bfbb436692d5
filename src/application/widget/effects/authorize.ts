import {
  combineLatest,
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  from,
  map,
  merge,
  of,
  startWith,
  Subject,
  switchMap,
  type Observable,
} from 'rxjs';
import { NO_SESSION_TEXT, scopeVerdict } from '../../../domain/consent.ts';
import { isOwnEndpoint } from '../../../domain/endpoints.ts';
import { SDKAPIError, toAuthError } from '../../../domain/errors.ts';
import { parseOAuthAuthorizeParams, type OAuthAuthorizeParams } from '../../../domain/oauth-params.ts';
import type { Intent, Outcome, WidgetEvent } from '../../../domain/screens/event.ts';
import { ATTESTED_MINUTES } from '../../../domain/session.ts';
import { isRecord } from '../../../domain/shape.ts';
import type { IdentityProviderOptions } from '../consent-options.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';
import { ofType, whenReady } from './attempt.ts';
import { failedWith, leaveFor, reported, stands } from './consent-outcomes.ts';
import { consentPage } from './consent-page.ts';

/** What a decision sends. */
interface Plan {
  readonly person: string | null;
  readonly scopes: readonly string[];
  readonly asks: boolean;
}

interface Decision {
  readonly granted: boolean;
  /** Null where nobody had to be asked. */
  readonly by: Intent | null;
}

/** Who a trusted issuer says that the person is. */
interface Trusted {
  readonly profile_id: string;
  readonly token: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const noSession = (): SDKAPIError =>
  new SDKAPIError({
    status_code: 401,
    error_type: 'user_unauthenticated',
    error_message: NO_SESSION_TEXT,
    error_url: '',
  });

/**
 * Lets an app in (specification, section 4). Only `consent_required === false` does so unasked, and the browser goes
 * nowhere but to the reply's address. Whoever becomes signed in meanwhile is asked anew: nobody agrees for another.
 */
export function authorizeEffect(
  services: Services,
  options: () => IdentityProviderOptions,
  query: URLSearchParams,
): Effect {
  const { error, result: params } = parseOAuthAuthorizeParams(query);
  if (params === null) return () => from(failedWith(new Error(error), false));
  return ({ events$ }) => defer(() => new AuthorizeFlow(services, options, params).outcomes(events$));
}

class AuthorizeFlow {
  private plan: Plan | null = null;
  /** From the decision on it does not matter who is signed in. */
  private decided = false;
  private attestFailed = false;
  private readonly again = new Subject<void>();
  private readonly unasked = new Subject<Decision>();

  constructor(
    private readonly services: Services,
    private readonly options: () => IdentityProviderOptions,
    private readonly params: OAuthAuthorizeParams,
  ) {}

  outcomes(events$: Observable<WidgetEvent>): Observable<Outcome> {
    const decisions$ = merge(
      this.unasked,
      ofType(events$, 'consent/allowed').pipe(map((by): Decision => ({ granted: true, by }))),
      ofType(events$, 'consent/denied').pipe(map((by): Decision => ({ granted: false, by }))),
    );
    const restarts$ = merge(this.again, ofType(events$, 'consent/retried')).pipe(map(() => this.person()));
    const people$ = defer(() => merge(this.people(), restarts$)).pipe(
      filter(() => !this.decided),
      switchMap((person) => (person === null ? this.nobody() : this.preflight(person))),
    );
    return merge(
      decisions$.pipe(exhaustMap((decision) => this.submit(decision))),
      ofType(events$, 'consent/switched').pipe(exhaustMap((by) => this.signOut(by))),
      concat(this.arrived(), people$),
    );
  }

  private person(): string | null {
    return this.services.sessions.state().session?.user_id ?? null;
  }

  /** Whose session there is, once that is known. */
  private people(): Observable<string | null> {
    const { sessions, refresher } = this.services;
    return combineLatest([sessions.session$, refresher.checking$]).pipe(
      filter(([session, checking]) => session !== null || !checking),
      map(([session]) => session?.user_id ?? null),
      distinctUntilChanged(),
    );
  }

  /** Makes the session that a trusted token is for, or looks for one that only the server can see. */
  private arrived(): Observable<Outcome> {
    const { sessions, lifecycle, project, wire } = this.services;
    const given = this.trusted();
    return whenReady(async (): Promise<readonly Outcome[]> => {
      if (given !== null) return this.attest(given);
      if (sessions.mayBeSignedIn()) return [];
      // At an endpoint of the host's or the project's own the tokens may be in HttpOnly cookies.
      const isOwn = isOwnEndpoint(wire.origin) || (await project.bootstrap()).cnameDomain !== null;
      if (isOwn) await lifecycle.authenticate().catch(() => undefined);
      return [];
    }).pipe(concatMap((outcomes) => outcomes));
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

  private async attest(trusted: Trusted): Promise<readonly Outcome[]> {
    const { sessions, lifecycle, sessionExchange } = this.services;
    const minutes = this.options().config.sessionOptions?.sessionDurationMinutes ?? ATTESTED_MINUTES;
    if (sessions.mayBeSignedIn()) await lifecycle.revoke(true).catch(() => undefined);
    try {
      await sessionExchange.attest({ ...trusted, session_duration_minutes: minutes });
      return [];
    } catch (thrown) {
      this.attestFailed = true;
      return [reported(thrown)];
    }
  }

  /** Ends the session here, of which the page and the host hear by its going. One that could not be ended is said to stay. */
  private signOut(by: Intent): Observable<Outcome> {
    return whenReady(async (): Promise<readonly Outcome[]> => {
      try {
        await this.services.lifecycle.revoke(false);
      } catch (thrown) {
        if (this.person() !== null) return [{ type: 'failed', asked: by, error: toAuthError(thrown) }];
      }
      return [];
    }).pipe(concatMap((outcomes) => outcomes));
  }

  /** Nobody is signed in. An app that wants no page shown is told so (OpenID Connect Core, section 3.1.2.6). */
  private nobody(): Observable<Outcome> {
    const said: readonly Outcome[] = this.attestFailed ? [] : [reported(noSession())];
    const silent = this.params.prompt?.split(' ').includes('none') === true;
    const told$ = whenReady(async () => {
      const reply = await this.services.identityProvider
        .authorizeSubmit({ ...this.params, consent_granted: false })
        .catch(() => ({ redirect_uri: '' }));
      if (!reply.redirect_uri) return of(stands({ status: 'noSession' }));
      return leaveFor(this.services.browser, reply.redirect_uri, { status: 'noSession' });
    }).pipe(concatMap((next) => next));
    return concat(from(said), silent ? told$ : of(stands({ status: 'noSession' })));
  }

  private preflight(person: string): Observable<Outcome> {
    const { identityProvider, project } = this.services;
    const { client_id, redirect_uri, response_type, scopes, prompt, max_age } = this.params;
    return whenReady(async () => {
      try {
        const asked = { client_id, redirect_uri, response_type, scopes, prompt, max_age };
        const [reply] = await Promise.all([identityProvider.authorizeStart(asked), project.bootstrap()]);
        return this.read(person, reply);
      } catch (thrown) {
        return failedWith(thrown, true);
      }
    }).pipe(
      concatMap((outcomes) => outcomes),
      startWith<Outcome>(
        { type: 'consent/started', client_id, redirect_uri, scope: scopes.join(' ') },
        stands({ status: 'loading' }),
      ),
    );
  }

  private read(
    person: string,
    reply: Readonly<Record<'consent_required' | 'scope_results' | 'client' | 'user', unknown>>,
  ): readonly Outcome[] {
    const verdict = scopeVerdict(reply.scope_results, this.params.scopes);
    const refused = new Set(verdict?.ungrantable.map(({ scope }) => scope));
    const rest = [...new Set(this.params.scopes)].filter((scope) => !refused.has(scope));
    if (reply.consent_required === false && rest.length > 0) {
      this.plan = { person, scopes: rest, asks: false };
      this.unasked.next({ granted: true, by: null });
      return [];
    }
    if (verdict === null) return failedWith(new Error('The server did not say what the app asks for.'), true);
    this.plan = { person, scopes: verdict.grantable.map(({ scope }) => scope), asks: true };
    const make = this.options().getIDPConsentManifest;
    // Whose account the server grants. One that does not say leaves what is known here.
    const user = reply.user ?? this.services.sessions.state().user;
    return [stands(consentPage(this.params, reply.client, user, verdict, make, this.services.log))];
  }

  private submit({ granted, by }: Decision): Observable<Outcome> {
    const { plan } = this;
    if (plan === null) return EMPTY;
    this.decided = true;
    return whenReady(async () => {
      try {
        const { identityProvider } = this.services;
        const body = { ...this.params, scopes: plan.scopes, consent_granted: granted };
        return this.answered((await identityProvider.authorizeSubmit(body)).redirect_uri, granted, plan.asks);
      } catch (thrown) {
        this.decided = false;
        const error = toAuthError(thrown);
        const said: readonly Outcome[] = by === null ? failedWith(error, true) : [{ type: 'failed', asked: by, error }];
        return concat(
          from(said),
          defer(() => this.unlessSame(plan)),
        );
      }
    }).pipe(concatMap((next) => next));
  }

  private unlessSame({ person }: Plan): Observable<never> {
    if (this.person() !== person) this.again.next();
    return EMPTY;
  }

  private answered(redirectUri: unknown, granted: boolean, asked: boolean): Observable<Outcome> {
    this.plan = null;
    if (typeof redirectUri === 'string' && redirectUri !== '') {
      return leaveFor(this.services.browser, redirectUri, { status: granted ? 'success' : 'denied' });
    }
    const outcomes: readonly Outcome[] =
      asked && !granted
        ? [{ type: 'consent/refused' }, stands({ status: 'denied' })]
        : [{ type: 'consent/completed' }, stands({ status: 'success' })];
    return from(outcomes);
  }
}
