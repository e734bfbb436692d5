import type { Ports } from '#application/ports/index.ts';
import { FakeBrowser } from './ports/fake-browser.ts';
import { FakeCaptcha } from './ports/fake-captcha.ts';
import { CookieJar, type FakeCookies } from './ports/fake-cookies.ts';
import { FakeCrypto } from './ports/fake-crypto.ts';
import { FakeDeviceTelemetry } from './ports/fake-device-telemetry.ts';
import { FakeFormPost } from './ports/fake-form-post.ts';
import { FakeLock } from './ports/fake-lock.ts';
import { FakeOneTap } from './ports/fake-one-tap.ts';
import { FakePasswordStrength } from './ports/fake-password-strength.ts';
import { FakePhone } from './ports/fake-phone.ts';
import { FakeTransport } from './transport/fake-transport.ts';
import { FakeWallet } from './fake-wallet.ts';
import { FakeWebauthn } from './ports/fake-webauthn.ts';
import { MemoryLog } from './ports/memory-log.ts';
import { MemoryOutbox } from './ports/memory-outbox.ts';
import { MemoryStorage, StorageBus } from './ports/memory-storage.ts';
import { SoftAuthenticator } from './ports/soft-authenticator.ts';
import { VirtualClock } from './ports/virtual-clock.ts';

/** One tab's ports, with the types of the fakes. */
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
  readonly webauthn: FakeWebauthn;
  readonly captcha: FakeCaptcha;
  readonly deviceTelemetry: FakeDeviceTelemetry;
  readonly oneTap: FakeOneTap;
  readonly outbox: MemoryOutbox;
  readonly phone: FakePhone;
  readonly passwordStrength: FakePasswordStrength;
  readonly wallet: FakeWallet;
  readonly formPost: FakeFormPost;
}

/** The number of seeds for each browser, more than it has tabs. */
const SEEDS = 10_000;
/** The number of browsers that use each clock. */
const worlds = new WeakMap<VirtualClock, number>();

/** A browser and its server in memory. The tabs share storage, cookies, locks and passkeys, as in a real browser. */
export class FakeWorld {
  readonly clock: VirtualClock;
  readonly transport: FakeTransport;
  readonly storage = new StorageBus();
  readonly jar: CookieJar;
  readonly lock: FakeLock;
  readonly outbox = new MemoryOutbox();
  /** The authenticator with the person's passkeys. */
  readonly authenticator = new SoftAuthenticator();
  /** Different in each browser of a clock, so that their secrets differ. */
  private readonly seed: number;
  private tabs = 0;

  constructor(clock: VirtualClock = new VirtualClock()) {
    this.clock = clock;
    this.seed = SEEDS * (worlds.get(clock) ?? 0);
    worlds.set(clock, (worlds.get(clock) ?? 0) + 1);
    this.jar = new CookieJar(clock);
    this.transport = new FakeTransport(this.jar);
    this.lock = new FakeLock(clock);
  }

  /** Opens a tab: `new PorticoClient(token, { adapters: world.tab() })`. */
  tab(href?: string): FakeTab {
    this.tabs += 1;
    const browser = new FakeBrowser(href);
    return {
      transport: this.transport.forPage(browser),
      storage: this.storage.tab(),
      tabStorage: new MemoryStorage(),
      cookies: this.jar.tab(),
      clock: this.clock,
      crypto: new FakeCrypto(this.seed + this.tabs),
      lock: this.lock,
      browser,
      log: new MemoryLog(),
      webauthn: new FakeWebauthn(browser, this.authenticator),
      captcha: new FakeCaptcha(),
      deviceTelemetry: new FakeDeviceTelemetry(),
      oneTap: new FakeOneTap(),
      outbox: this.outbox,
      phone: new FakePhone(),
      passwordStrength: new FakePasswordStrength(),
      wallet: new FakeWallet(),
      formPost: new FakeFormPost(),
    };
  }
}
