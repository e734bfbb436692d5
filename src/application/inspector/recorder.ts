import type { Screen } from '#domain/screens/screen.ts';
import type { Session } from '#domain/sessions/session.ts';
import { RefreshRecord } from '../session/refresh-record.ts';
import type { StartServices } from '../services.ts';
import type { WidgetStore } from '../widget/widget-store.ts';
import { override } from './override.ts';
import type { TraceLog, WidgetName } from './trace.ts';
import { watchRequests } from './watch-requests.ts';
import { watchSession, type WatchedSession } from './watch-session.ts';
import { watchWidget, type RecordingContext } from './watch-widget.ts';

/** A widget of the inspected client. `kind` is its name; for a reset page, the name and its token. */
export interface InspectedWidget {
  readonly kind: string;
  readonly store: WidgetStore;
}

/** The inspector's view of a client. `widgets` is null for a client without widgets. */
export interface InspectedClient {
  readonly core: StartServices;
  readonly widgets: Set<InspectedWidget> | null;
}

/** A widget and its screen, while it is mounted. */
export interface ShownWidget {
  readonly widget: WidgetName;
  readonly screen: Screen;
}

const NAMES: ReadonlySet<string> = new Set<WidgetName>([
  'login',
  'resetPassword',
  'passkeyRegistration',
  'account',
  'identityProvider',
]);

function nameOf({ kind }: InspectedWidget): WidgetName {
  const [name = ''] = kind.split(' ');
  return NAMES.has(name) ? (name as WidgetName) : 'login';
}

/**
 * Records what a client does. It listens to the client's streams, and replaces three methods of its objects with ones that record the call
 * and pass it on: `call` of the wire, `send` of each widget's store, `add` of the set of widgets. `end` removes all of it.
 */
export class Recorder {
  readonly session: WatchedSession;
  private readonly ends: (() => void)[] = [];
  private readonly watched: RecordingContext;

  /**
   * @param now milliseconds, by a clock that the inspector does not move
   * @param onDestroyed called when the client is destroyed during the recording
   */
  constructor(
    private readonly client: InspectedClient,
    readonly log: TraceLog,
    now: () => number,
    onDestroyed: () => void = () => undefined,
  ) {
    const { core, widgets } = client;
    const refreshes = new RefreshRecord(core.storage, core.keys);
    this.watched = { log, session: () => core.sessions.state().session, completed: new WeakSet<Session>() };
    this.session = watchSession(core, refreshes, log, onDestroyed);
    this.ends.push(() => this.session.end(), watchRequests(core, refreshes, log, now));
    if (widgets === null) return;
    for (const widget of widgets) this.watch(widget);
    const endAdd = override(widgets, 'add', (below) => (widget) => {
      this.watch(widget);
      return below().call(widgets, widget);
    });
    this.ends.push(endAdd);
  }

  /** The mounted widgets, in the order in which they were mounted. */
  listWidgets(): readonly ShownWidget[] {
    return [...(this.client.widgets ?? [])].map((widget) => ({
      widget: nameOf(widget),
      screen: widget.store.getState().screen,
    }));
  }

  end(): void {
    for (const end of this.ends.splice(0)) end();
  }

  private watch(widget: InspectedWidget): void {
    this.ends.push(watchWidget(widget.store, nameOf(widget), this.watched));
  }
}
