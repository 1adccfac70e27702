"""Functions for `resample=`, right and wrong."""


def guess(state, player, rng):
    """Others play at random, until the player would have seen the same."""
    game = state.get_game()
    seen = state.information_state_string(player)
    own = [step.action for step in state.full_history() if step.player == player]
    while True:
        drawn, left = game.new_initial_state(), list(own)
        while not drawn.is_terminal():
            same_turn = drawn.current_player() == state.current_player()
            if not left and same_turn and drawn.information_state_string(player) == seen:
                return drawn
            legal = drawn.legal_actions()
            if drawn.current_player() != player:
                drawn.apply_action(rng.choice(legal))
            elif left and left[0] in legal:
                drawn.apply_action(left.pop(0))
            else:
                break


def nothing(state, player, rng):
    return None


def start(state, player, rng):
    return state.get_game().new_initial_state()


def breaks(state, player, rng):
    raise RuntimeError("no cards left")


no_function = 3
