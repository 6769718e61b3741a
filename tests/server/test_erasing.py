"""Erasing a user through the server takes the name out of what others wrote, or says where it stays."""

import pytest

pytestmark = pytest.mark.anyio


async def test_an_erased_user_is_in_no_list_of_anothers_agent(doors):
    alice, bob, root = doors["alice"], doors["bob"], doors["root"]
    await alice.put("/agents/mine", json={"shared_with": ["bob", "group:bob", "ali"]})
    await root.put("/agents/house", json={"shared_with": ["bob", "*"]})
    await root.put("/agents/other", json={"shared_with": ["*"]})
    receipt = (await bob.post("/erase", json={"user": "bob"})).json()
    assert receipt["erased"]["shared_with"] == 2
    mine = (await alice.get("/agents/mine")).json()
    assert (mine["spec"]["shared_with"], mine["revision"]) == (["group:bob", "ali"], 2)
    assert (await alice.get("/agents/house")).json()["spec"]["shared_with"] == ["*"]
    assert (await alice.get("/agents/other")).json()["revision"] == 1


async def test_an_erased_user_is_granted_nothing_any_more(doors):
    alice, bob = doors["alice"], doors["bob"]
    await alice.post("/pools", json={"name": "org:docs"})
    await alice.put("/pools/org:docs/grants/bob", json={"rights": ["read"]})
    await alice.put("/pools/org:docs/grants/ali", json={"rights": ["read"]})
    receipt = (await bob.post("/erase", json={"user": "bob"})).json()
    assert receipt["erased"]["grants"] == 1
    assert [each["to"] for each in (await alice.get("/pools/org:docs")).json()["grants"]] == ["ali"]
    assert (await bob.get("/pools/org:docs")).status_code == 404


async def test_the_receipt_says_where_a_name_stays(doors):
    alice = doors["alice"]
    await alice.post("/pools", json={"name": "org:docs"})
    await alice.post("/teams", json={"name": "crew"})
    receipt = (await alice.post("/erase", json={"user": "alice"})).json()
    assert any("owner of 2 pools and teams" in each for each in receipt["retained"])
    again = (await doors["bob"].post("/erase", json={"user": "bob"})).json()
    assert not any("owner" in each for each in again["retained"])


async def test_another_tenants_lists_stay_as_they_are(doors):
    await doors["other-root"].put("/agents/house", json={"shared_with": ["alice"]})
    await doors["alice"].post("/erase", json={"user": "alice"})
    found = (await doors["other-root"].get("/agents/house")).json()
    assert found["spec"]["shared_with"] == ["alice"]
