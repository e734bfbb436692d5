import type { Ports } from '../../application/ports/index.ts';
import { FakeBrowser } from './fake-browser.ts';
import { CookieJar, type FakeCookies } from './fake-cookies.ts';
import { FakeCrypto } from './fake-crypto.ts';
import { FakeLock } from './fake-lock.ts';
import { FakeTransport } from './fake-transport.ts';
import { MemoryLog } from './memory-log.ts';
import { MemoryStorage, StorageBus } from './memory-storage.ts';
import { VirtualClock } from './virtual-clock.ts';

/** One tab's ports, each the fake that it is. */
export interface FakeTab extends Ports {
  readonly transport: FakeTransport;
  readonly storage: MemoryStorage;
  readonly tabStorage: MemoryStorage;
  readonly cookies: FakeCookies;
  readonly clock: VirtualClock;
  readonly crypto: FakeCrypto;
  readonly lock: FakeLock;
  readonly browser: FakeBrowser;
  readonly log: MemoryLog;
}

/** A browser and the server it talks to, in memory: its tabs share what a browser's tabs share. */
export class FakeWorld {
  readonly clock: VirtualClock;
  readonly transport = new FakeTransport();
  readonly storage = new StorageBus();
  readonly jar: CookieJar;
  readonly lock: FakeLock;
  private tabs = 0;

  constructor(clock: VirtualClock = new VirtualClock()) {
    this.clock = clock;
    this.jar = new CookieJar(clock);
    this.lock = new FakeLock(clock);
  }

  /** Opens a tab: `new PorticoClient(token, { adapters: world.tab() })`. */
  tab(href?: string): FakeTab {
    this.tabs += 1;
    return {
      transport: this.transport,
      storage: this.storage.tab(),
      tabStorage: new MemoryStorage(),
      cookies: this.jar.tab(),
      clock: this.clock,
      crypto: new FakeCrypto(this.tabs),
      lock: this.lock,
      browser: new FakeBrowser(href),
      log: new MemoryLog(),
    };
  }
}
