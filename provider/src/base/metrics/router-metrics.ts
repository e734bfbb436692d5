import { Counter, Gauge, Registry } from 'prom-client';

/** The metrics of a router. Projects are named by their folders, so that callers cannot create series. */
export class RouterMetrics {
  private readonly registry = new Registry();
  private readonly starts = new Counter({
    name: 'portico_router_starts_total',
    help: 'Starts of the servers of projects, by outcome: listens or failed.',
    labelNames: ['project', 'outcome'],
    registers: [this.registry],
  });
  private readonly waits = new Counter({
    name: 'portico_router_waits_total',
    help: 'Requests that waited for the server of their project, by outcome: served or refused.',
    labelNames: ['project', 'outcome'],
    registers: [this.registry],
  });

  constructor(states: () => readonly { readonly project: string; readonly isRunning: boolean }[]) {
    const running: Gauge<'project'> = new Gauge({
      name: 'portico_router_project_running',
      help: '1 while the server of the project runs.',
      labelNames: ['project'],
      registers: [this.registry],
      collect() {
        running.reset();
        for (const { project, isRunning } of states()) running.set({ project }, isRunning ? 1 : 0);
      },
    });
  }

  started = (project: string, outcome: 'listens' | 'failed'): void => this.starts.inc({ project, outcome });

  waited = (project: string, outcome: 'served' | 'refused'): void => this.waits.inc({ project, outcome });

  /** The text of `/metrics`, and its content type. */
  async text(): Promise<{ readonly type: string; readonly body: string }> {
    return { type: this.registry.contentType, body: await this.registry.metrics() };
  }
}
