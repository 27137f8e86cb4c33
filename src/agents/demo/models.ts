// The two models the demo agent claims to have; they differ in pace and in how much they think. Pure.

export interface DemoModel {
  readonly provider: string;
  readonly model: string;
  readonly label: string;
  readonly contextWindow: number;
  /** True where it thinks before it acts. */
  readonly thinks: boolean;
  /** Waits are multiplied by it. */
  readonly slowness: number;
}

export const DEMO_MODELS: readonly [DemoModel, ...DemoModel[]] = [
  {
    provider: "demo",
    model: "careful-1",
    label: "Careful 1",
    contextWindow: 200_000,
    thinks: true,
    slowness: 1,
  },
  {
    provider: "demo",
    model: "quick-1",
    label: "Quick 1",
    contextWindow: 32_000,
    thinks: false,
    slowness: 0.4,
  },
];

/** The model of that name; the provider may be left out. */
export function findModel(provider: string | null, model: string): DemoModel | null {
  return DEMO_MODELS.find((each) =>
    each.model === model && (provider === null || each.provider === provider)
  ) ?? null;
}

/** As `model_catalog` wants them. */
export function modelEntries(): readonly Record<string, unknown>[] {
  return DEMO_MODELS.map(({ provider, model, label, contextWindow, thinks }) => ({
    provider,
    model,
    label,
    context_window: contextWindow,
    reasoning: thinks,
  }));
}
