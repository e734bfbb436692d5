import { Agent, get } from 'node:http';

/** A client that asks for `/healthz` again and again, and counts the answers. */
export class Polls {
  answered = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly done: Promise<void>;
  private isEnding = false;

  constructor(private readonly url: string) {
    this.done = this.run();
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await this.done;
    this.agent.destroy();
  }

  private async run(): Promise<void> {
    while (!this.isEnding) {
      await this.once();
      this.answered += 1;
    }
  }

  private once(): Promise<void> {
    return new Promise((resolve, reject) => {
      get(`${this.url}/healthz`, { agent: this.agent }, (reply) => reply.on('end', resolve).resume()).on(
        'error',
        reject,
      );
    });
  }
}
