import { Component, type ReactNode } from 'react';

interface Props {
  /** What shows instead of children that threw `error`. `retry` renders them again. */
  readonly fallback: (retry: () => void, error: unknown) => ReactNode;
  readonly children: ReactNode;
}

interface State {
  readonly thrown: { readonly error: unknown } | null;
}

/** Keeps a screen that threw from taking the page with it. A class, because React offers this to no function. */
export class ErrorBoundary extends Component<Props, State> {
  override readonly state: State = { thrown: null };

  static getDerivedStateFromError(error: unknown): State {
    return { thrown: { error } };
  }

  override render(): ReactNode {
    const { thrown } = this.state;
    if (thrown === null) return this.props.children;
    return this.props.fallback(() => this.setState({ thrown: null }), thrown.error);
  }
}
