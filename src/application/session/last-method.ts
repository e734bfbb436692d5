import type { LoginMethod } from '../../domain/last-method.ts';
import type { StoragePort } from '../ports/index.ts';
import type { ClientKeys } from './client-keys.ts';

/** By which way somebody logged in last in this browser (ours). Whatever is stored is text to compare, no more. */
export class LastMethod {
  constructor(
    private readonly storage: StoragePort,
    private readonly keys: ClientKeys,
  ) {}

  known(): string | null {
    return this.storage.get(this.keys.storage('last_method'));
  }

  /** A way that leaves the page: it counts once it has come back with success, to whatever page. */
  leaveBy(method: LoginMethod): void {
    this.storage.set(this.keys.storage('last_method_left_by'), method);
  }

  /** The way that was left by, if any, has succeeded. Where nothing is to be remembered, none was. */
  comeBack(): void {
    const method = this.storage.get(this.keys.storage('last_method_left_by'));
    if (method === null) return;
    this.storage.remove(this.keys.storage('last_method_left_by'));
    this.storage.set(this.keys.storage('last_method'), method);
  }

  /** The way that was left by has come to nothing. */
  stay(): void {
    this.storage.remove(this.keys.storage('last_method_left_by'));
  }

  remember(method: LoginMethod): void {
    if (method !== this.known()) this.storage.set(this.keys.storage('last_method'), method);
  }

  forget(): void {
    this.storage.remove(this.keys.storage('last_method_left_by'));
    this.storage.remove(this.keys.storage('last_method'));
  }
}
