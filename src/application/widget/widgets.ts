import { Subject } from 'rxjs';
import { codeLoad } from '#domain/code-loads.ts';
import { INITIAL_STATE, type WidgetState } from '#domain/screens/widget-state.ts';
import type { SessionStore } from '../session/session-store.ts';
import { resumedScreen } from '#domain/screens/kept-step.ts';
import { later, type Later } from '#domain/later.ts';
import { COMPLETE } from '#domain/screens/first-state.ts';
import { INITIAL_SCREEN, type Screen } from '#domain/screens/screen.ts';
import type { LateServices, Services, StartServices } from '../services.ts';
import {
  bootstrapEffect,
  checkingEffect,
  lackingEffect,
  lazyEffects,
  signedInEffect,
} from './effects/start-effects.ts';
import type { WidgetEvent } from '#domain/screens/event.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { HostEvent as DomainHostEvent } from '#domain/widget/host-events.ts';
import type { HostEvent } from './host-event.ts';
import type { WidgetOptions } from './widget-options.ts';
import type { WidgetRules } from './widget-rules.ts';
import { WidgetStore, type Effect, type Rules, type Step } from './widget-store.ts';
import type { IdentityProviderOptions } from './consent-options.ts';

/** The state and behaviour of one widget, without its rendering. */
export interface MountedWidget<Options extends WidgetOptions = WidgetOptions> {
  readonly store: WidgetStore;
  /** Loads the lazy effects, if they have not been loaded yet. */
  prepare(): void;
  /** Adopts new options; the screen stays. */
  configure(options: Options): void;
  destroy(): void;
}

/** The sessions that a widget has already reported to its host. */
const completed = new WeakSet<Session>();

/** What a widget loads for its first event. */
interface LateCode extends Rules, Pick<WidgetRules, 'isSigningIn'> {
  readonly report: (step: Step) => void;
  readonly effects: readonly Effect<WidgetEvent>[];
}

/**
 * @param initial the state in which the widget starts
 * @param atStart makes the effects that run from the start
 * @param load loads the other effects, when they are first needed
 * @param isPrepared whether they are needed immediately, because the widget has nothing to show before they have read the session or the
 * server
 */
function mountedWidget<Options extends WidgetOptions>(
  services: StartServices,
  initialOptions: Options,
  initial: Partial<WidgetState>,
  atStart: (code: Later<LateCode>) => readonly Effect<WidgetEvent>[],
  load: () => Promise<
    (services: StartServices & LateServices, options: () => Options) => readonly Effect<WidgetEvent>[]
  >,
  isPrepared = true,
): MountedWidget<Options> {
  const { project, sessions, clock, log } = services;
  const demand = new Subject<void>();
  let options = initialOptions;
  let isGone = false;
  const safely = (call: () => void): void => {
    try {
      call();
    } catch (error) {
      log.error('A callback of the widget threw.', error);
    }
  };
  const tell = (event: DomainHostEvent): void => {
    const { session } = sessions.state();
    if (event.type === COMPLETE.type && session !== null) {
      // The widget that replaced this one has already reported the session.
      if (isGone && completed.has(session)) return;
      completed.add(session);
    }
    safely(() => options.callbacks.onEvent?.(event as HostEvent));
  };
  const code = later<LateCode>(async () => {
    const [make, { widgetRules }, late] = await Promise.all([
      load(),
      codeLoad(import('./widget-rules.ts')),
      services.late(),
    ]);
    const current = (): Options => options;
    return {
      ...widgetRules,
      report: widgetRules.hostReporter(services, current, tell),
      effects: make({ ...services, ...late }, current),
    };
  });
  const store = new WidgetStore(clock, { ...INITIAL_STATE, bootstrap: project.lastKnown(), ...initial }, code);
  store.step$.subscribe((step) => {
    const { event } = step;
    // A login elsewhere is reported without loading this widget's code.
    if (code.value() === null && event.type === 'session/appeared') tell(COMPLETE);
    else code.pass(({ report }) => report(step));
    if (event.type === 'failed' || event.type === 'reported') safely(() => options.callbacks.onError?.(event.error));
  });
  store.run([lazyEffects(code, demand), ...atStart(code), bootstrapEffect(project)]);
  if (isPrepared) demand.next();
  return {
    store,
    prepare: () => demand.next(),
    configure: (changed) => {
      options = changed;
    },
    destroy: () => {
      store.destroy();
      isGone = true;
    },
  };
}

/** The facts that determine Main's first rendering, so that the layout does not move when the rest becomes known. */
function knownAtStart({
  browser,
  storage,
  keys,
}: Services<'browser' | 'storage' | 'keys'>): Pick<WidgetState, 'lastMethod' | 'passkeyAutofill'> {
  const none = !browser.mayAutofillPasskeys || storage.get(keys.storage('no_passkey_autofill')) !== null;
  return { lastMethod: storage.get(keys.storage('last_method')), passkeyAutofill: none ? false : null };
}

/** The clients whose login has shown another screen since the page was loaded. If such a login is mounted again, it starts over. */
const moved = new WeakSet<SessionStore>();

/**
 * The screen on which the login starts. After a reload, or after the browser discarded the tab, it is the screen that waits for the sent
 * message.
 */
function resumed(
  { sessions, tabStorage, clock, keys, project }: Services<'sessions' | 'tabStorage' | 'clock' | 'keys' | 'project'>,
  { config }: WidgetOptions,
): Screen {
  const isStepUp = config.stepUp !== undefined && sessions.mayBeSignedIn();
  if (isStepUp || (project.lastKnown().hasSteps && sessions.intermediateToken()))
    return { name: 'SecondFactor', flow: { at: 'arriving', isStepUp }, isConsent: false };
  const text = moved.has(sessions) ? null : tabStorage.get(keys.storage('step'));
  return resumedScreen(text, clock.now(), config) ?? INITIAL_SCREEN;
}

/** The login widget; with a token, the widget of the page that a reset mail opens. */
export function loginWidget<Options extends WidgetOptions>(
  services: StartServices,
  options: Options,
  tokenType?: 'login' | 'reset',
): MountedWidget<Options> {
  const screen: Screen = tokenType ? { name: 'PasswordResetForm', tokenType } : resumed(services, options);
  const widget = mountedWidget(
    services,
    options,
    { ...knownAtStart(services), screen },
    (code) => [
      signedInEffect(services.sessions, (state) => code.value()?.isSigningIn(state) ?? false),
      lackingEffect(services.sessions),
      checkingEffect(services.refresher.checking$),
    ],
    async () => (await codeLoad(import('./effects/login-effects.ts'))).loginEffects,
    // The token is checked before the user chooses a password, and the step of a reloaded page is read immediately.
    tokenType === 'reset' || screen.name === 'SecondFactor',
  );
  widget.store.step$.subscribe(({ before, after }) => {
    if (before.screen !== after.screen) moved.add(services.sessions);
  });
  if (tokenType === 'login') widget.store.send({ type: 'resetLink/opened' });
  return widget;
}

/** The widget in which the signed-in user sets up passkeys. */
export const passkeyRegistrationWidget = (services: StartServices, options: WidgetOptions): MountedWidget =>
  mountedWidget(
    services,
    options,
    { screen: { name: 'PasskeyRegistrationStart', creation: null } },
    () => [checkingEffect(services.refresher.checking$)],
    async () => (await codeLoad(import('./effects/passkeys/passkey-registration.ts'))).passkeyRegistrationEffects,
  );

/** The widget in which a user authorizes another app, or logs out for it. */
export const identityProviderWidget = (
  services: StartServices,
  options: IdentityProviderOptions,
): MountedWidget<IdentityProviderOptions> =>
  mountedWidget(
    services,
    options,
    { screen: { name: 'IDPConsent' } },
    () => [],
    async () => (await codeLoad(import('./effects/consent/consent.ts'))).consentEffects,
  );

/** The account page of the signed-in user. */
export const accountWidget = (services: StartServices, options: WidgetOptions): MountedWidget =>
  mountedWidget(
    services,
    options,
    { screen: { name: 'Account' } },
    () => [],
    async () => (await codeLoad(import('./effects/account/account.ts'))).accountEffects,
  );
