// What is left out where a device is too slow, step by step.

/** How a scene is played. */
export interface Quality {
    /** Whether the energy account is kept. */
    hasLedger: boolean;
    /** Rate of the engine over the rate of the device. Half the rate makes grids coarser. */
    rateFactor: number;
    /** Whether scenes that ask for a higher rate get it. */
    oversamples: boolean;
    /** Whether the displays are drawn. */
    hasDisplays: boolean;
    /** What the page says; empty if nothing is left out. */
    notice: string;
}

/** From the best to what runs on the slowest device. */
export const QUALITIES: readonly Quality[] = [
    { hasLedger: true, rateFactor: 1, oversamples: true, hasDisplays: true, notice: "" },
    {
        hasLedger: false,
        rateFactor: 1,
        oversamples: true,
        hasDisplays: true,
        notice: "This device is too slow for the energy account of this scene: it is left out.",
    },
    {
        hasLedger: false,
        rateFactor: 1,
        oversamples: false,
        hasDisplays: true,
        notice: "This device is too slow for this scene at its own sample rate: it runs at that of the device, on a coarser grid.",
    },
    {
        hasLedger: false,
        rateFactor: 0.5,
        oversamples: false,
        hasDisplays: true,
        notice: "This device is too slow for this scene: it runs at half the sample rate, on a coarser grid and without high partials.",
    },
    {
        hasLedger: false,
        rateFactor: 0.5,
        oversamples: false,
        hasDisplays: false,
        notice: "This device is too slow for this scene: it runs at half the sample rate, and the displays rest.",
    },
];

/** Load at which playing has no room left. */
const TOO_MUCH = 0.85;
/** Number of loads in a row that must be too much. One alone can be another program's. */
const TIMES = 3;

/** The quality to start with, given the share of real time that a scene takes without its energy account. */
export function firstQuality(cost: number): number {
    // The account of a plate takes as long as the plate.
    if (cost < TOO_MUCH / 2) return 0;
    if (cost < TOO_MUCH) return 1;
    return cost < 2 * TOO_MUCH ? 2 : 3;
}

/** Watches the load. */
export class LoadWatch {
    private count = 0;

    /** Takes in a load; true when the quality should fall by one. */
    exceeds(load: number): boolean {
        this.count = load > TOO_MUCH ? this.count + 1 : 0;
        return this.count >= TIMES;
    }

    restart(): void {
        this.count = 0;
    }
}
