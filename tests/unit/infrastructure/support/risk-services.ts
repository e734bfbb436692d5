/** The services behind the risk adapters, as the globals that their scripts define. Runs in Node and in a browser. */
import type { ServiceTrouble } from '../../../contract/service.ts';

type Globals = Record<string, unknown>;

/** Answers as the trouble has it, else with a fresh text. */
class Answers {
  trouble: ServiceTrouble | null = null;
  private given = 0;

  async next(prefix: string): Promise<unknown> {
    if (this.trouble === 'rejects') throw new Error('no');
    if (this.trouble === 'loads and then says nothing') return new Promise(() => undefined);
    if (this.trouble === 'answers with nonsense') return { token: 7 };
    this.given += 1;
    return `${prefix}-${this.given}`;
  }
}

/** reCAPTCHA Enterprise: the first script only brings `ready`; what it fetches then brings `execute`. */
export class StandInRecaptcha extends Answers {
  /** The site keys and actions of `execute`. */
  readonly executed: (readonly [siteKey: string, action: string])[] = [];

  run(globals: Globals): void {
    if (this.trouble === 'is something else') {
      globals['grecaptcha'] = { render: () => 0 };
      return;
    }
    const waiting: (() => void)[] = [];
    const enterprise: Record<string, unknown> = { ready: (task: () => void) => void waiting.push(task) };
    globals['grecaptcha'] = { enterprise };
    if (this.trouble === 'loads and then says nothing') return;
    setTimeout(() => {
      enterprise['ready'] = (task: () => void) => task();
      enterprise['execute'] = (siteKey: string, { action }: { readonly action: string }) => {
        this.executed.push([siteKey, action]);
        if (this.trouble === 'throws') throw new Error('invalid site key');
        return this.next('token');
      };
      for (const task of waiting) task();
    }, 1);
  }
}

/** The device-telemetry service. */
export class StandInTelemetry extends Answers {
  readonly asked: (readonly [publicToken: string, submitUrl: string])[] = [];

  run(globals: Globals): void {
    if (this.trouble === 'is something else') {
      globals['GetTelemetryID'] = 'not a function';
      return;
    }
    globals['GetTelemetryID'] = (publicToken: string, submitUrl: string) => {
      this.asked.push([publicToken, submitUrl]);
      if (this.trouble === 'throws') throw new Error('no');
      return this.next('telemetry');
    };
  }
}
