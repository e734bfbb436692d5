/** `portico`, and `portico/standalone`: the client with its widgets. */
export * from './headless.ts';
export { PorticoUIClient } from './ui-client.ts';
export type { MountLoginOptions, WidgetHandle } from './mount-login.tsx';
export type { WidgetCallbacks } from '../application/widget/login-widget.ts';
export { EventType, type HostEvent } from '../domain/host-events.ts';
export type { Screen, ScreenName, ScreenOf } from '../domain/screens/screen.ts';
export {
  ConfigError,
  OTPMethods,
  Products,
  type EmailMagicLinksOptions,
  type LoginConfig,
  type OTPOptions,
  type SessionOptions,
} from '../domain/widget-config.ts';
export type { StyleConfig } from '../domain/theme.ts';
export type { StringOverrides } from '../presentation/messages/catalogue.ts';
