/** A key of this browser (RFC 7517, ECDSA on P-256). The private half never leaves it. */
export interface BindingKey {
  readonly jwk: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };
  /** The signature of the text's UTF-8 bytes: 64 bytes (ES256, RFC 7518, section 3.4). */
  sign(text: string): Promise<Uint8Array>;
}

/**
 * The keys to which this browser's sessions are bound. All tabs of an origin share them.
 *
 * - `find` resolves with the key of this name, or null;
 * - `ensure` resolves with it, and makes one if there is none; if several tabs call it simultaneously, all get the same key;
 * - `keep` stores a key of this object again if it is missing, for example because another tab removed it;
 * - `remove` deletes the key; earlier signatures stay valid;
 * - if the browser cannot make or store keys, it resolves with null, and nothing throws.
 */
export interface BindingKeysPort {
  find(name: string): Promise<BindingKey | null>;
  ensure(name: string): Promise<BindingKey | null>;
  keep(name: string, key: BindingKey): Promise<void>;
  remove(name: string): Promise<void>;
}
