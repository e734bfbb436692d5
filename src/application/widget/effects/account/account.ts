import {
  combineLatest,
  distinctUntilChanged,
  EMPTY,
  filter,
  firstValueFrom,
  map,
  merge,
  of,
  startWith,
  Subject,
  switchMap,
  type Observable,
} from 'rxjs';
import type { AccountState, ConnectedAppInfo, LoadedList } from '#domain/account/account.ts';
import { dataSettingsOf } from '#domain/account/data-settings.ts';
import type { Bootstrap } from '#domain/project/bootstrap.ts';
import { isAuthError, type AuthError } from '#domain/errors.ts';
import { toAuthError } from '#domain/thrown.ts';
import { ACCOUNT_TABLE, type AccountEvent } from '#domain/screens/account-flow.ts';
import type { PendingRecovery, RecoveryCodeSummary, TrustedDevice } from '#domain/sessions/mfa.ts';
import type { Profile } from '#domain/sessions/profile.ts';
import type { ListedSession } from '#domain/sessions/session.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { Services } from '../../../services.ts';
import type { WidgetOptions } from '../../widget-options.ts';
import type { Effect } from '../../widget-store.ts';
import { AccountChanges, type ChangeServices } from './account-changes.ts';
import { whenReady } from '../attempt.ts';
import { strengthEffect } from '../passwords/password-strength.ts';
import { numberFormatEffect } from '../passcodes/phone.ts';
import { endIfOver } from '../../../use-cases/account/present-user.ts';
import { runFlow, type FlowPlace } from '../../../use-cases/run-flow.ts';

const asksProfile = ({ account }: Pick<Bootstrap, 'account'>): boolean => dataSettingsOf(account)?.asksProfile === true;

/** A part of a list, and the cursor of the rest. */
interface Part<Item> {
  readonly items: readonly Item[];
  readonly next?: string | null;
}

type AccountServices = ChangeServices & Services<'account' | 'refresher'>;

/** The effects of the account page. */
export function accountEffects(
  services: AccountServices & Services<'passwordStrength'>,
  options: () => WidgetOptions,
): readonly Effect[] {
  return [
    accountEffect(services, () => options().config),
    passkeysEffect(services),
    strengthEffect(services),
    numberFormatEffect(services),
  ];
}

/** The list of passkeys uses the widget's existing list. */
function passkeysEffect({ sessions }: Services<'sessions'>): Effect {
  return () =>
    sessions.user$.pipe(
      map((user) => ({ type: 'passkeys/known', passkeys: user && (user.webauthn_registrations ?? []) }) as const),
    );
}

/** Runs the commands of the page's table, and passes it the user and the lists. */
function accountEffect(services: AccountServices, config: () => LoginConfig): Effect {
  const { sessions, account, refresher, userEdits, ownSessions, secondFactor, profile, project } = services;

  /** The error, or null if the server returned the user, or reported that there is no session. */
  const load = async (): Promise<AuthError | null> => {
    await firstValueFrom(refresher.checking$.pipe(filter((checking) => !checking)), { defaultValue: false });
    if (!sessions.mayBeSignedIn()) return null;
    try {
      await account.get();
      return null;
    } catch (error) {
      endIfOver(services, error);
      return toAuthError(error);
    }
  };
  const people = (again: Observable<void>): Observable<AccountEvent> => {
    const loads$ = again.pipe(
      startWith(undefined),
      switchMap(() => whenReady(async () => ({ error: await load() })).pipe(startWith(null))),
    );
    return combineLatest([sessions.user$, loads$]).pipe(
      map(([user, loaded]): AccountEvent | null => {
        if (user !== null) return { type: 'person', user };
        if (loaded === null) return null;
        const { error } = loaded;
        return error === null || !sessions.mayBeSignedIn() ? { type: 'person', user } : { type: 'unreachable', error };
      }),
      filter((event) => event !== null),
      distinctUntilChanged((a, b) => a.type === 'person' && b.type === 'person' && a.user === b.user),
    );
  };

  /** Loads a list for each user, and again after each change that affects it. */
  const listed = <Item>(again: Observable<void>, read: () => Promise<Part<Item>>): Observable<LoadedList<Item>> =>
    merge(
      sessions.user$.pipe(
        map((user) => user?.user_id ?? null),
        distinctUntilChanged(),
      ),
      again,
    ).pipe(switchMap(() => (sessions.state().user === null ? EMPTY : whenReady(async () => list(read)))));
  const list = async <Item>(read: () => Promise<Part<Item>>): Promise<LoadedList<Item>> => {
    try {
      return { status: 'known', ...(await read()) };
    } catch (error) {
      endIfOver(services, error);
      return isOutOfReach(error) ? { status: 'absent' } : { status: 'failed', error: toAuthError(error) };
    }
  };
  const readDetails = async (): Promise<Part<Profile>> => {
    // At the first visit, the settings may arrive after the user.
    const asks = asksProfile(project.lastKnown()) || asksProfile(await project.bootstrap());
    const { profile: details } = asks ? await profile.get() : { profile: null };
    return { items: details === null ? [] : [details] };
  };
  const readApps = async (): Promise<Part<ConnectedAppInfo>> => ({
    items: (await userEdits.connectedApps()).connected_apps,
  });

  const readDevices = async (): Promise<Part<TrustedDevice>> => ({
    items: (await secondFactor.trustedDevices()).devices,
  });
  const readRecoveries = async (): Promise<Part<PendingRecovery>> => {
    const { recovery } = await secondFactor.recovery();
    return { items: recovery === null ? [] : [recovery] };
  };
  const readRecoveryCodes = async (): Promise<Part<RecoveryCodeSummary>> => {
    const hasApp = sessions.state().user?.totps?.some(({ verified }) => verified) === true;
    const { recovery_codes: codes } = hasApp ? await secondFactor.recoveryCodes() : { recovery_codes: null };
    return { items: codes === null ? [] : [codes] };
  };

  return ({ events$, getState }) => {
    /** As many entries as the page shows. */
    const readSessions = async (): Promise<Part<ListedSession>> => {
      const { account: page } = getState();
      const count = 'sessions' in page && page.sessions.status === 'known' ? page.sessions.items.length : 0;
      let { sessions, next_cursor: next } = await ownSessions.list();
      const items = [...sessions];
      while (next && items.length < count) {
        // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
        ({ sessions, next_cursor: next } = await ownSessions.list({ cursor: next }));
        items.push(...sessions);
      }
      return { items, next: next ?? null };
    };
    const retried = new Subject<void>();
    const changed = new Subject<void>();
    /** The project may ask for other details by now. */
    const outdated = new Subject<void>();
    // As a command, it would end the current change.
    const retriedMeanwhile = events$.pipe(
      filter(({ type }) => type === 'account/retried' && 'doing' in getState().account),
      map(() => undefined),
    );
    const retries = merge(retried, retriedMeanwhile);
    const stale = merge(changed, retries);
    const changes = new AccountChanges(services, config);
    const events: Observable<AccountEvent> = merge(
      people(retried),
      listed(merge(retries, outdated), readDetails).pipe(
        map((details) => ({ type: 'detailsKnown' as const, details })),
      ),
      listed(stale, readSessions).pipe(
        map((sessionList) => ({ type: 'sessionsKnown' as const, sessions: sessionList })),
      ),
      listed(stale, readApps).pipe(map((apps) => ({ type: 'appsKnown' as const, apps }))),
      listed(stale, readDevices).pipe(map((devices) => ({ type: 'devicesKnown' as const, devices }))),
      listed(stale, readRecoveries).pipe(map((recoveries) => ({ type: 'recoveriesKnown' as const, recoveries }))),
      listed(stale, readRecoveryCodes).pipe(
        map((recoveryCodes) => ({ type: 'recoveryCodesKnown' as const, recoveryCodes })),
      ),
    );
    const perform = (change: Observable<AccountEvent>): Observable<AccountEvent> =>
      change.pipe(
        map((event) => {
          if (event.type === 'refused' || event.type === 'proofRefused') endIfOver(services, event.error);
          if (event.type === 'refused' && event.error.error_type === 'invalid_profile') outdated.next();
          if (event.type === 'done' && CHANGES_LISTS.has(event.news)) changed.next();
          // It may have used up a recovery code.
          if (event.type === 'proofGiven') changed.next();
          return event;
        }),
      );
    const place: FlowPlace<AccountState> = {
      read: () => getState().account,
      write: (page) => [{ type: 'account/changed', account: page }],
    };
    return runFlow(ACCOUNT_TABLE, place, merge(events$, events), (command) => {
      switch (command.do) {
        case 'load':
          retried.next();
          return EMPTY;
        case 'change':
          return perform(changes.make(command.change));
        case 'repeat':
          return perform(changes.repeat());
        case 'prove':
          return perform(changes.prove(command.way, command.code));
        case 'sendProof':
          return changes.sendProof(command.way);
        default:
          return of();
      }
    });
  };
}

/** A new password ends the other sessions. A removed login method ends the sessions that rely on it, and a revoked app loses its own. */
const CHANGES_LISTS: ReadonlySet<unknown> = new Set([
  'sessionEnded',
  'deviceRemoved',
  'recoveryStopped',
  'codesRenewed',
  // Every change of a login method ends the trust in browsers.
  'emailAdded',
  'phoneAdded',
  'passkeyAdded',
  'totpAdded',
  'othersEnded',
  'passwordSet',
  'appRevoked',
  'emailRemoved',
  'phoneRemoved',
  'totpRemoved',
  'passkeyRemoved',
  'socialRemoved',
  'walletRemoved',
]);

/** The server has no such list, or this session may not see it, for example if an operator impersonates the user. */
function isOutOfReach(error: unknown): boolean {
  const types = ['route_not_found', 'method_not_allowed', 'unauthorized_action'];
  return isAuthError(error) && error.kind === 'api' && types.includes(error.error_type);
}
