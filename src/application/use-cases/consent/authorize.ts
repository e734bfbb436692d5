import { Subject, takeUntil } from 'rxjs';
import type { Consent } from '#domain/consent/consent.ts';
import { SDKUsageError, type AuthError } from '#domain/errors.ts';
import { toAuthError } from '#domain/thrown.ts';
import type { OAuthAuthorizeParams } from '#domain/consent/oauth-params.ts';
import { checkArguments } from '#domain/shape.ts';
import { idp } from '../../api/index.ts';
import type { IdentityProviderOptions } from '../../widget/consent-options.ts';
import {
  AuthorizationFlow,
  type AuthorizationChoice,
  type AuthorizationOptions,
  type AuthorizationServices,
} from './authorization-flow.ts';

/** The content of the consent question: the app, the account, and the requested permissions. */
export type ConsentRequest = Extract<Consent, { readonly status: 'consentRequired' }>;

/**
 * The session duration, whether consent is allowed in a frame (an app that requests no page gets its answer there anyway), and the host's
 * question instead of the consent screen.
 */
export interface HeadlessAuthorizationOptions
  extends Omit<AuthorizationOptions, 'reportsBeforeLeaving'>, Pick<IdentityProviderOptions, 'allowFraming'> {
  /** Asks the user for consent, if it is required. False denies the access. */
  readonly decide: (request: ConsentRequest) => boolean | Promise<boolean>;
}

/** The outcome of an authorization. With `leaving` the browser navigates to the app, with a code if access was `granted`. */
export type AuthorizationEnd =
  | { readonly status: 'leaving'; readonly granted: boolean }
  | { readonly status: 'success' | 'denied' | 'noSession' | 'framed' }
  | { readonly status: 'error'; readonly error: AuthError };

/**
 * Runs the whole flow, with the host's question instead of a screen. Rejects if `decide` does, and for wrong arguments before anything is
 * sent.
 */
export async function authorize(
  services: AuthorizationServices,
  params: OAuthAuthorizeParams,
  hostOptions: HeadlessAuthorizationOptions,
): Promise<AuthorizationEnd> {
  checkArguments('idp.authorize', idp.authorizeStart.body, params);
  const { decide, allowFraming, ...options } = (hostOptions as Partial<HeadlessAuthorizationOptions> | undefined) ?? {};
  if (typeof decide !== 'function') throw new SDKUsageError('idp.authorize', 'decide must be a function');
  const isFramed = services.browser.isFramed && allowFraming !== true;
  if (isFramed && params.prompt !== 'none') return { status: 'framed' };
  return new Promise((resolve, reject) => {
    const choices$ = new Subject<AuthorizationChoice>();
    const ended$ = new Subject<void>();
    let pending: ConsentRequest | null = null;
    let granted = false;
    const end = (result: AuthorizationEnd): void => {
      resolve(result);
      // Ends the flow only after the browser has left.
      void Promise.resolve().then(() => ended$.next());
    };
    const ask = async (request: ConsentRequest): Promise<void> => {
      pending = request;
      const allowed = await decide(request);
      // Another user has signed in meanwhile and must be asked for consent.
      if (pending !== request) return;
      choices$.next({ type: allowed && request.canAllow ? 'consent/allowed' : 'consent/denied' });
    };
    const stand = (consent: Consent): void => {
      if (consent.status === 'consentRequired' && isFramed) {
        end({ status: 'framed' });
      } else if (consent.status === 'consentRequired') {
        ask(consent).catch((error: unknown) => {
          ended$.next();
          reject(error);
        });
      } else if (consent.status === 'error') {
        end({ status: 'error', error: consent.error ?? toAuthError(new Error('The reply leads to no safe address.')) });
      } else if (consent.status === 'success' || consent.status === 'denied' || consent.status === 'noSession') {
        end({ status: consent.status });
      }
    };
    const flow = new AuthorizationFlow(
      services,
      () => ({ ...options, reportsBeforeLeaving: true }),
      params,
      () => end({ status: 'leaving', granted }),
    );
    flow
      .run(choices$)
      .pipe(takeUntil(ended$))
      .subscribe((outcome) => {
        if (outcome.type === 'consent/decided') granted = outcome.granted;
        if (outcome.type === 'failed') end({ status: 'error', error: outcome.error });
        if (outcome.type === 'consent/changed') stand(outcome.consent);
      });
  });
}
