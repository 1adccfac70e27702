"""Upper confidence bounds: how much a choice may still be worth, given how often it was tried.

Scores are scaled to [0, 1] by the lowest and highest score seen so far; an arm keeps the sum and the sum of squares of
its raw scores, so that the scale may change at any time.
"""

import numpy as np

from arbora.engine.kernel import inline_kernel


@inline_kernel
def ucb1_tuned_width(mean, mean_square, visits, log_total):
    """Document 000, equations (2a) and (2b): width of the bound from the variance seen, for scores in [0, 1]."""
    variance_bound = mean_square - mean * mean + np.sqrt(2.0 * log_total / visits)
    return np.sqrt(2.0 * log_total / visits * min(0.25, variance_bound))


@inline_kernel
def ucb1_tuned(mean, mean_square, visits, log_total):
    """Document 003, equations (2) and (3): what a choice may be worth, for payoffs in [0, 1]."""
    share = log_total / visits
    if share >= 0.03125:  # the root of twice that is 1/4 already, and no variance is below 0
        return mean + 0.5 * np.sqrt(share)
    variance_bound = mean_square - mean * mean + np.sqrt(2.0 * share)
    return mean + np.sqrt(share * min(0.25, variance_bound))


@inline_kernel
def ucb1_width(visits, log_total):
    """Width of the bound of UCB1, for scores in [0, 1]."""
    return np.sqrt(2.0 * log_total / visits)


@inline_kernel
def scaled(total, squares, visits, low, high):
    """Mean and mean square of scores with these sums, after scaling [low, high] to [0, 1]."""
    if high <= low:
        return 0.5, 0.25
    mean = total / visits
    spread = high - low
    scaled_mean = (mean - low) / spread
    variance = max(squares / visits - mean * mean, 0.0) / (spread * spread)
    return scaled_mean, variance + scaled_mean * scaled_mean
