/** What the client needs of the device, by Expo's modules. */
import { CryptoDigestAlgorithm, digest, getRandomValues, randomUUID } from 'expo-crypto';
import * as SecureStore from 'expo-secure-store';
import Storage from 'expo-sqlite/kv-store';
import type { Device } from 'portico/adapters';
import { AppState, Linking } from 'react-native';

export const device: Device = {
  secrets: {
    get: (key) => SecureStore.getItem(key),
    set: (key, value) => SecureStore.setItem(key, value),
    // It cannot remove at once, so that an empty value stands for none.
    remove: (key) => SecureStore.setItem(key, '{}'),
  },
  storage: {
    get: (key) => Storage.getItemSync(key),
    set: (key, value) => Storage.setItemSync(key, value),
    remove: (key) => void Storage.removeItemSync(key),
  },
  crypto: {
    words: (count) => getRandomValues(new Uint32Array(count)),
    uuid: () => randomUUID(),
    sha256: async (text) => new Uint8Array(await digest(CryptoDigestAlgorithm.SHA256, new TextEncoder().encode(text))),
  },
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  openUrl: (url) => void Linking.openURL(url),
  onActive: (listener) => {
    const subscription = AppState.addEventListener('change', (state) => {
      if (state === 'active') listener();
    });
    return () => subscription.remove();
  },
};
