import { Subject } from 'rxjs';
import { INITIAL_STATE, type WidgetState } from '../../domain/screens/widget-state.ts';
import type { Services, WidgetServices } from '../services.ts';
import { lazyEffects } from './effects/lazy-effects.ts';
import { tellerOf } from './effects/telling.ts';
import type { WidgetOptions } from './widget-options.ts';
import { WidgetStore, type Effect } from './widget-store.ts';

/** The effects that are loaded when they are first needed. */
export type MakeEffects = (services: Services) => readonly Effect[];

/** The state and behaviour of one widget, without its looks. */
export abstract class MountedWidget<Options extends WidgetOptions = WidgetOptions> {
  readonly store: WidgetStore;
  private gone = false;
  private readonly wanted = new Subject<void>();

  constructor(
    protected readonly services: WidgetServices,
    protected options: Options,
    initial: Partial<WidgetState> = {},
  ) {
    const bootstrap = services.project.lastKnown();
    this.store = new WidgetStore(services.clock, { ...INITIAL_STATE, bootstrap, ...initial });
    this.store.step$.subscribe(
      tellerOf(
        services,
        () => this.options,
        () => this.gone,
      ),
    );
    const load = async (): Promise<readonly Effect[]> => {
      const [make, lazy] = await Promise.all([this.loadEffects(), services.lazy()]);
      return make({ ...services, ...lazy });
    };
    this.store.run([lazyEffects(load, this.wanted), ...this.effects()]);
  }

  /** The effects that run from the start. */
  protected abstract effects(): readonly Effect[];
  protected abstract loadEffects(): Promise<MakeEffects>;

  /** Loads the lazy effects, if they have not been loaded yet. */
  prepare(): void {
    this.wanted.next();
  }

  /** Takes over new options; the screen stays. */
  configure(options: Options): void {
    this.options = options;
  }

  destroy(): void {
    this.store.destroy();
    this.gone = true;
  }
}
