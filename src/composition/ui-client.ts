import { PorticoClient } from './client.ts';
import { mountLogin, type MountLoginOptions, type WidgetHandle } from './mount-login.tsx';
import * as t from './tokens.ts';

/** The client with its widgets. */
export class PorticoUIClient extends PorticoClient {
  private readonly mounted = new Set<WidgetHandle>();

  /**
   * Shows the login widget in the element that `elementId` (a CSS selector) finds. Mounting again into the same element
   * renders the widget there anew with the new options; its screen stays.
   *
   * Throws an `Error` when nothing is found, and a `ConfigError` for products that cannot stand together.
   */
  mountLogin(options: MountLoginOptions): WidgetHandle {
    const { container } = this;
    return mountLogin(this.mounted, options, {
      logins: async () => (await this.late()).logins,
      project: container.get(t.PROJECT),
      sessions: container.get(t.SESSIONS),
      refresher: container.get(t.REFRESHER),
      eventLog: this.events,
      clock: container.get(t.PORTS.clock),
      log: container.get(t.PORTS.log),
    });
  }

  override destroy(): void {
    for (const widget of this.mounted) widget.unmount();
    super.destroy();
  }
}
