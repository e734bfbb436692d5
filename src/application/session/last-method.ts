import type { LoginMethod } from '#domain/sessions/last-method.ts';
import type { StoragePort } from '../ports/index.ts';
import type { ClientKeys } from '../wire/client-keys.ts';

/** The last login method used in this browser (not in the reference client). The stored value is only compared, never interpreted. */
export class LastMethod {
  constructor(
    private readonly storage: StoragePort,
    private readonly keys: ClientKeys,
  ) {}

  read(): string | null {
    return this.storage.get(this.keys.storage('last_method'));
  }

  /** Records a method that leaves the page. It becomes the last method when the page returns with success. */
  leaveBy(method: LoginMethod): void {
    this.storage.set(this.keys.storage('last_method_left_by'), method);
  }

  /** The method that left the page, if one was recorded, has succeeded. */
  comeBack(): void {
    const method = this.storage.get(this.keys.storage('last_method_left_by'));
    if (method === null) return;
    this.storage.remove(this.keys.storage('last_method_left_by'));
    this.storage.set(this.keys.storage('last_method'), method);
  }

  /** The method that left the page has failed. */
  stay(): void {
    this.storage.remove(this.keys.storage('last_method_left_by'));
  }

  remember(method: LoginMethod): void {
    if (method !== this.read()) this.storage.set(this.keys.storage('last_method'), method);
  }

  forget(): void {
    this.storage.remove(this.keys.storage('last_method_left_by'));
    this.storage.remove(this.keys.storage('last_method'));
  }
}
