import { Actions } from '#application/inspector/actions.ts';
import { OfflineSwitch } from '#application/inspector/offline-switch.ts';
import { readTrace } from '#application/inspector/read-trace.ts';
import { Recorder } from '#application/inspector/recorder.ts';
import { ShiftedClock } from '#application/inspector/shifted-clock.ts';
import { TraceLog } from '#application/inspector/trace.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { isLoopbackOrigin } from '#domain/rules/redirects.ts';
import type { PanelModel } from '#presentation/inspector/model.ts';
import { showPanel } from '#presentation/inspector/panel.ts';
import { controlClient } from './control-client.ts';
import { insideOf, type InspectableClient } from './inspected-client.ts';
import { asJson, checkedCapacity, type RecordOptions, type Recording } from './record.ts';
import { inspectedTabs } from './tabs.ts';

/** Options of `inspect`. */
export interface InspectOptions extends RecordOptions {
  /** The element that contains the panel. Default: none; the panel floats over the page, closed until it is opened. */
  readonly element?: Element;
  /**
   * The origin of a provider on this machine that was started with `--dev`, such as `http://localhost:4100`. `false` disables the
   * control. Default: the client's server, if it is on this machine.
   */
  readonly control?: string | false;
}

/** An open inspector. `close` also reverts the changes of its buttons in the client. */
export type Inspector = Recording;

/** The open inspectors, by the wiring of their clients. */
const open = new WeakMap<object, Inspector>();

/** The origin to control, or the reason why there is none. */
function controlled(
  option: string | false | undefined,
  own: string,
): { readonly origin: string } | { readonly reason: string } {
  if (option === false) return { reason: 'The inspector was opened without control of a provider.' };
  if (option === undefined) {
    if (isLoopbackOrigin(own)) return { origin: own };
    return { reason: 'This needs a provider on this machine that was started with --dev.' };
  }
  if (typeof option === 'string' && isLoopbackOrigin(option)) return { origin: option };
  throw new SDKUsageError(
    'inspect',
    'control must be an origin of this machine, such as http://localhost:4100, or false',
  );
}

/**
 * Shows a client's screens, requests, events and session to its developer, with buttons that trigger states that are slow to reach.
 * It changes nothing until a button is pressed. For an inspected client, the open inspector is returned.
 *
 * Throws an `SDKUsageError` for an object that is not a client, or for an invalid option. Call it only in development:
 * `if (import.meta.env.DEV) import('portico/inspector').then(({ inspect }) => inspect(client));`
 */
export function inspect(client: InspectableClient, options: InspectOptions = {}): Inspector {
  const inside = insideOf(client);
  const { core } = inside;
  const current = open.get(core);
  if (current !== undefined) return current;

  const capacity = checkedCapacity('inspect', options);
  const found = controlled(options.control, core.wire.origin);
  const log = new TraceLog(() => Date.now(), capacity);
  // A destroyed client has no more activity.
  const recorder = new Recorder(
    inside,
    log,
    () => performance.now(),
    () => open.get(core)?.close(),
  );
  const clock = new ShiftedClock(core.clock);
  const control = 'origin' in found ? controlClient(found.origin) : null;
  const actions = new Actions({
    control,
    noControl: 'reason' in found ? found.reason : '',
    offline: new OfflineSwitch(core.wire),
    clock,
    session: recorder.session,
    now: () => core.clock.now(),
    screen: () => recorder.listWidgets().at(-1)?.screen ?? null,
    log,
    announce: (isOnline) => announce(window, isOnline),
    wake: () => core.refresher['wake'](),
  });
  const { locks } = navigator as { readonly locks?: LockManager | null };
  const tabs = inspectedTabs(locks, core.keys.publicToken);
  const exported = (): string => asJson(log.trace());
  const end = (): void => {
    actions.end();
    recorder.end();
    tabs.end();
  };
  const model: PanelModel = {
    log,
    actions,
    widgets: () => recorder.listWidgets(),
    session: () => recorder.session.times(),
    now: () => core.clock.now(),
    tabs: () => tabs.count(),
    exported,
    read: readTrace,
  };
  let removePanel: () => void;
  try {
    removePanel = showPanel(model, { element: options.element ?? null });
  } catch (error) {
    end();
    throw error;
  }
  void actions.find();

  const inspector: Inspector = {
    trace: () => log.trace(),
    export: exported,
    close: () => {
      if (open.get(core) !== inspector) return;
      open.delete(core);
      removePanel();
      end();
    },
  };
  open.set(core, inspector);
  return inspector;
}

/** Sets `navigator.onLine` and dispatches the event of its change, as a browser does. */
function announce(window: Window, isOnline: boolean): void {
  const { navigator } = window;
  if (isOnline) delete (navigator as { onLine?: boolean }).onLine;
  else Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}
