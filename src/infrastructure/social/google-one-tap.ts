import type { ClockPort, OneTapOptions, OneTapPort, OneTapShown } from '#application/ports/index.ts';
import type { ScriptLoader } from '../risk/script-loader.ts';

const SCRIPT = 'https://accounts.google.com/gsi/client';
/** With FedCM, the library does not report that the prompt is visible. It counts as visible if there is no refusal for this long. */
const NO_NEWS_MS = 3_000;

/** The library's notification about the prompt. With FedCM some of the methods are missing or return undefined. */
interface PromptMomentNotification {
  isDisplayed?(): boolean;
  isNotDisplayed?(): boolean;
  getNotDisplayedReason?(): unknown;
  isSkippedMoment?(): boolean;
  getSkippedReason?(): unknown;
  isDismissedMoment?(): boolean;
  getDismissedReason?(): unknown;
}

interface GoogleId {
  initialize(options: {
    readonly client_id: string;
    readonly nonce: string;
    readonly callback: (response: { readonly credential?: unknown } | undefined) => void;
    readonly cancel_on_tap_outside: boolean;
    readonly auto_select: boolean;
    readonly use_fedcm_for_prompt: boolean;
    readonly prompt_parent_id?: string;
  }): void;
  prompt(listener: (moment: PromptMomentNotification) => void): void;
  cancel?(): void;
}

type Page = Window & { readonly google?: { readonly accounts?: { readonly id?: Partial<GoogleId> } } };

/** The library's reasons, mapped to the specification's (section 8). */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['unregistered_origin', 'unregistered_origin'],
  ['invalid_client', 'invalid_client'],
  ['missing_client_id', 'invalid_client'],
  ['opt_out_or_no_session', 'opt_out'],
  ['suppressed_by_user', 'user_cancel'],
  ['user_cancel', 'user_cancel'],
  ['tap_outside', 'user_cancel'],
]);

/** The reason why the prompt does not show, or null. */
function refusal(moment: PromptMomentNotification): string | null {
  if (moment.isNotDisplayed?.() === true) return REASONS.get(moment.getNotDisplayedReason?.()) ?? 'not_displayed';
  if (moment.isSkippedMoment?.() === true) return REASONS.get(moment.getSkippedReason?.()) ?? 'skipped';
  if (moment.isDismissedMoment?.() !== true || moment.getDismissedReason?.() === 'credential_returned') return null;
  return 'unknown';
}

/** The One Tap prompt of Google Identity Services, with FedCM where the browser supports it. Loads `accounts.google.com/gsi/client`. */
export class GoogleOneTap implements OneTapPort {
  /** Ends the current prompt, shown or loading; null before the first prompt. */
  private end: (() => void) | null = null;

  constructor(
    private readonly window: Window,
    private readonly clock: ClockPort,
    private readonly loader: ScriptLoader,
  ) {}

  /** Detected by the interface of FedCM (Federated Credential Management, section 2.3). */
  isDrawnByBrowser(): boolean {
    return 'IdentityCredential' in this.window;
  }

  async show(options: OneTapOptions): Promise<OneTapShown> {
    this.hide();
    return new Promise((resolve) => {
      let state: 'pending' | 'shown' | 'over' = 'pending';
      let stop = (): void => undefined;
      const settle = (next: 'shown' | 'over', result: OneTapShown): void => {
        stop();
        state = next;
        resolve(result);
      };
      const end = (reason: string): void => settle('over', { success: false, reason });
      this.end = () => end('skipped');

      const hear = (moment: PromptMomentNotification): void => {
        const reason = refusal(moment);
        if (state === 'pending' && reason !== null) end(reason);
        else if (state === 'pending' && moment.isDisplayed?.() === true) settle('shown', { success: true });
        else if (state === 'shown' && reason !== null) {
          state = 'over';
          options.onCancelled();
        }
      };
      const take = (credential: unknown): void => {
        if (state === 'over' || typeof credential !== 'string' || credential === '') return;
        settle('over', { success: true });
        options.onCredential(credential);
      };
      const begin = async (): Promise<void> => {
        try {
          const id = this.find() ?? (await this.loader.load(SCRIPT, () => this.find()));
          if (state === 'over') return;
          stop = this.clock.after(NO_NEWS_MS, () => settle('shown', { success: true }));
          id.initialize({
            client_id: options.clientId,
            nonce: options.nonce,
            callback: (response) => take(response?.credential),
            cancel_on_tap_outside: options.cancelOnTapOutside,
            auto_select: false,
            // With FedCM the browser ignores the parent element.
            use_fedcm_for_prompt: options.parentId === undefined,
            ...(options.parentId === undefined ? {} : { prompt_parent_id: options.parentId }),
          });
          id.prompt(hear);
        } catch {
          if (state === 'pending') end(this.find() === null ? 'not_displayed' : 'unknown');
        }
      };
      void begin();
    });
  }

  hide(): void {
    if (this.end === null) return;
    this.end();
    this.end = null;
    try {
      this.find()?.cancel?.();
    } catch {
      // The prompt counts as not shown.
    }
  }

  private find(): GoogleId | null {
    const id = (this.window as Page).google?.accounts?.id;
    return typeof id?.initialize === 'function' && typeof id.prompt === 'function' ? (id as GoogleId) : null;
  }
}
