/**
 * The trusted browser (`trusted_devices`) in which the session is, so that the trust ends with a session that is ended from another browser.
 * Null in any other browser, and for a session that began before.
 */
export const SESSIONS_OF_TRUSTED_BROWSERS: readonly string[] = [
  `alter table sessions add column trusted_device_id text`,
];
