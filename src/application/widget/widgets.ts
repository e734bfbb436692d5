import { Subject } from 'rxjs';
import { INITIAL_STATE, type WidgetState } from '../../domain/screens/widget-state.ts';
import type { SessionStore } from '../session/session-store.ts';
import { resumedScreen, stepToKeep } from '../../domain/screens/kept-step.ts';
import type { Screen } from '../../domain/screens/screen.ts';
import { INITIAL_SCREEN } from '../../domain/screens/transitions.ts';
import type { LateServices, Services, StartServices } from '../services.ts';
import { bootstrapEffect, checkingEffect, lazyEffects, signedInEffect } from './effects/start-effects.ts';
import { makeHostReporter } from './effects/host-reports.ts';
import type { WidgetOptions } from './widget-options.ts';
import { WidgetStore, type Effect } from './widget-store.ts';
import type { IdentityProviderOptions } from './consent-options.ts';

/** The effects that are loaded when they are first needed. */
type MakeEffects = (services: StartServices & LateServices) => readonly Effect[];

/** The state and behaviour of one widget, without its rendering. */
export abstract class MountedWidget<Options extends WidgetOptions = WidgetOptions> {
  readonly store: WidgetStore;
  private gone = false;
  private readonly wanted = new Subject<void>();

  constructor(
    protected readonly services: StartServices,
    protected options: Options,
    initial: Partial<WidgetState> = {},
  ) {
    const bootstrap = services.project.lastKnown();
    this.store = new WidgetStore(services.clock, { ...INITIAL_STATE, bootstrap, ...initial });
    this.store.step$.subscribe(
      makeHostReporter(
        services,
        () => this.options,
        () => this.gone,
      ),
    );
    const load = async (): Promise<readonly Effect[]> => {
      const [make, late] = await Promise.all([this.loadEffects(), services.late()]);
      return make({ ...services, ...late });
    };
    this.store.run([lazyEffects(load, this.wanted), ...this.effects()]);
  }

  /** The effects that run from the start. */
  protected abstract effects(): readonly Effect[];
  protected abstract loadEffects(): Promise<MakeEffects>;

  /** Loads the lazy effects, if they have not been loaded yet. */
  prepare(): void {
    this.wanted.next();
  }

  /** Takes over new options; the screen stays. */
  configure(options: Options): void {
    this.options = options;
  }

  destroy(): void {
    this.store.destroy();
    this.gone = true;
  }
}

/** The facts that determine Main's first rendering, so that the layout does not move when the rest is known. */
function knownAtStart({
  browser,
  storage,
  keys,
}: Services<'browser' | 'storage' | 'keys'>): Pick<WidgetState, 'lastMethod' | 'passkeyAutofill'> {
  const none = !browser.mayAutofillPasskeys || storage.get(keys.storage('no_passkey_autofill')) !== null;
  return { lastMethod: storage.get(keys.storage('last_method')), passkeyAutofill: none ? false : null };
}

type StepServices = Services<'sessions' | 'tabStorage' | 'clock' | 'keys'>;
const keyOfStep = ({ keys }: StepServices): string => keys.storage('step');

/** The clients whose login has shown another screen since the page was loaded. One that is mounted again then starts over. */
const moved = new WeakSet<SessionStore>();

/**
 * The screen on which the login starts: after a reload, or when the browser had discarded the tab, the screen that waits for the
 * message that was sent.
 */
function resumed(services: StepServices, { config }: WidgetOptions): Screen {
  const { sessions, tabStorage, clock } = services;
  const kept = moved.has(sessions) ? null : tabStorage.get(keyOfStep(services));
  return resumedScreen(kept, clock.now(), config) ?? INITIAL_SCREEN;
}

/** Keeps the screen for this tab if it waits for a message, and forgets the previous one. */
function keepStep(services: StepServices, screen: Screen): void {
  const { sessions, tabStorage, clock } = services;
  moved.add(sessions);
  const step = stepToKeep(screen, clock.now());
  if (step === null) tabStorage.remove(keyOfStep(services));
  else tabStorage.set(keyOfStep(services), step);
}

/** The login widget; with a token, the widget of the page that a reset mail opens. */
export class LoginWidget<Options extends WidgetOptions = WidgetOptions> extends MountedWidget<Options> {
  constructor(services: StartServices, options: Options, tokenType?: 'login' | 'reset') {
    super(services, options, {
      ...knownAtStart(services),
      screen: tokenType === undefined ? resumed(services, options) : { name: 'PasswordResetForm', tokenType },
    });
    this.store.step$.subscribe(({ before, after }) => {
      if (before.screen !== after.screen) keepStep(services, after.screen);
    });
    if (tokenType === 'login') this.store.send({ type: 'resetLink/opened' });
    // The token is checked before the user chooses a password.
    if (tokenType === 'reset') this.prepare();
  }

  protected override effects(): readonly Effect[] {
    const { sessions, refresher, project } = this.services;
    return [signedInEffect(sessions), checkingEffect(refresher.checking$), bootstrapEffect(project)];
  }

  protected override async loadEffects(): Promise<MakeEffects> {
    const { loginEffects } = await import('./effects/login-effects.ts');
    return (services) => loginEffects(services, () => this.options);
  }
}

/** The widget in which the signed-in user sets up passkeys. */
export class PasskeyRegistrationWidget extends MountedWidget {
  constructor(services: StartServices, options: WidgetOptions) {
    super(services, options, { screen: { name: 'PasskeyRegistrationStart', creation: null } });
    // The device's abilities and the existing passkeys are shown as soon as they are known.
    this.prepare();
  }

  protected override effects(): readonly Effect[] {
    const { refresher, project } = this.services;
    return [checkingEffect(refresher.checking$), bootstrapEffect(project)];
  }

  protected override async loadEffects(): Promise<MakeEffects> {
    const { passkeyRegistrationEffects } = await import('./effects/passkey-registration.ts');
    return (services) => passkeyRegistrationEffects(services, () => this.options.config);
  }
}

/** The widget in which a user authorizes another app, or logs out for it. */
export class IdentityProviderWidget extends MountedWidget<IdentityProviderOptions> {
  constructor(services: StartServices, options: IdentityProviderOptions) {
    super(services, options, { screen: { name: 'IDPConsent' } });
    // There is nothing to show before the server has been asked.
    this.prepare();
  }

  protected override effects(): readonly Effect[] {
    return [bootstrapEffect(this.services.project)];
  }

  protected override async loadEffects(): Promise<MakeEffects> {
    const { consentEffects } = await import('./effects/consent.ts');
    return (services) => consentEffects(services, () => this.options);
  }
}

/** The account page of the signed-in user. */
export class AccountWidget extends MountedWidget {
  constructor(services: StartServices, options: WidgetOptions) {
    super(services, options, { screen: { name: 'Account' } });
    // There is nothing to show before it is known who is signed in.
    this.prepare();
  }

  protected override effects(): readonly Effect[] {
    return [bootstrapEffect(this.services.project)];
  }

  protected override async loadEffects(): Promise<MakeEffects> {
    const { accountEffects } = await import('./effects/account.ts');
    return (services) => accountEffects(services, () => this.options.config);
  }
}
