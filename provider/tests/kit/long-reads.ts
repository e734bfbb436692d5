/** The regular expressions that read a long text, whoever wrote them. */
export class LongReads {
  private readonly found = new Map<string, RegExp>();
  private readonly exec = RegExp.prototype.exec;

  /** @param least the shortest text that is long */
  constructor(private readonly least: number) {}

  get expressions(): readonly RegExp[] {
    return [...this.found.values()];
  }

  /** Every other method of an expression, and of a text with one, calls `exec`. */
  start(): void {
    const { found, exec, least } = this;
    // oxlint-disable-next-line no-extend-native -- restored by `stop`
    RegExp.prototype.exec = function read(text) {
      if (text.length >= least) found.set(String(this), this);
      return exec.call(this, text);
    };
  }

  stop(): void {
    // oxlint-disable-next-line no-extend-native -- as it was
    RegExp.prototype.exec = this.exec;
  }
}
