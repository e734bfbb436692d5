/** Google Identity Services' prompt, as its library shows it to a page. Runs in Node and in a browser. */

interface Options {
  readonly client_id: string;
  readonly callback: (response: { readonly credential?: unknown } | undefined) => void;
  readonly cancel_on_tap_outside: boolean;
  readonly auto_select: boolean;
  readonly use_fedcm_for_prompt: boolean;
  readonly prompt_parent_id?: string;
}

type Listener = (moment: object) => void;

/** With FedCM the library tells nothing of the display, and gives no reason for a skip. */
export class StandInGoogle {
  /** Why prompts do not come; null lets them come. */
  refusal: string | null = null;
  readonly initialized: Options[] = [];
  cancels = 0;
  private open: { readonly options: Options; readonly tell: Listener } | null = null;

  constructor(readonly fedcm: boolean) {}

  /** How many prompts are there now: the library has one at most. */
  get shown(): number {
    return this.open === null ? 0 : 1;
  }

  /** The element that the latest one was to stand in. */
  get place(): string | null {
    return this.initialized.at(-1)?.prompt_parent_id ?? null;
  }

  run(globals: Record<string, unknown>): void {
    globals['google'] = {
      accounts: {
        id: {
          initialize: (options: Options) => void this.initialized.push(options),
          prompt: (listener: Listener) => this.prompt(listener),
          cancel: () => this.take(),
        },
      },
    };
  }

  choose(idToken: unknown): void {
    const { open } = this;
    this.open = null;
    open?.tell(this.moment('dismissed', 'credential_returned'));
    open?.options.callback({ credential: idToken });
  }

  cancel(reason = 'user_cancel'): void {
    const { open } = this;
    this.open = null;
    open?.tell(this.moment('skipped', reason));
  }

  /** Tells something that the library may tell. */
  moment(kind: 'display' | 'skipped' | 'dismissed', reason: string | null): object {
    const isDisplay = kind === 'display';
    return {
      ...(this.fedcm
        ? {}
        : {
            isDisplayMoment: () => isDisplay,
            isDisplayed: () => isDisplay && reason === null,
            isNotDisplayed: () => isDisplay && reason !== null,
            getNotDisplayedReason: () => (isDisplay ? reason : null),
            getSkippedReason: () => (kind === 'skipped' ? reason : null),
          }),
      isSkippedMoment: () => kind === 'skipped',
      isDismissedMoment: () => kind === 'dismissed',
      getDismissedReason: () => (kind === 'dismissed' ? reason : null),
      getMomentType: () => kind,
    };
  }

  private prompt(tell: Listener): void {
    const options = this.initialized.at(-1);
    if (options === undefined) throw new Error('not initialized');
    this.open?.tell(this.moment('dismissed', 'flow_restarted'));
    const { refusal } = this;
    this.open = refusal === null ? { options, tell } : null;
    // After the call, as the library does it, and not by a timer, whose order beside a test's own timers is not fixed.
    queueMicrotask(() => {
      if (refusal !== null) tell(this.moment(this.fedcm ? 'skipped' : 'display', refusal));
      else if (!this.fedcm) tell(this.moment('display', null));
    });
  }

  private take(): void {
    this.cancels += 1;
    const { open } = this;
    this.open = null;
    open?.tell(this.moment('dismissed', 'cancel_called'));
  }
}
