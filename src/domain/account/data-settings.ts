import { isRecord } from '../shape.ts';

/** What users can do with their account themselves, besides exporting their data. */
interface DataSettings {
  readonly deletion: boolean;
  /** Whether the project asks its users for fields or terms. */
  readonly asksProfile: boolean;
}

/** Reads `account` of the bootstrap reply, an addition to the reference's wire; null if the server has no such calls. */
export function dataSettingsOf(account: unknown): DataSettings | null {
  return isRecord(account)
    ? { deletion: account['deletion'] === true, asksProfile: account['asks_profile'] === true }
    : null;
}
